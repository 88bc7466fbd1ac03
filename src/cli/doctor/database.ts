import { sql } from 'kysely';
import { isRoleId, ROLES } from '#domain/people/roles.ts';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { createAudit } from '#server/audit/audit.ts';
import { createClock } from '#server/core/clock.ts';
import type { Config } from '#server/config/config.ts';
import { KEY_USES } from '#server/crypto/rotation-schedule.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { createSigningKeyStore } from '#server/crypto/signing-key-store.ts';
import { type Db, openExisting } from '#server/db/database.ts';
import { readMigrationState } from '#server/db/migrate.ts';
import { createDeadLetters } from '#server/jobs/dead-letters.ts';
import { newestBackup } from '#server/metrics/counts.ts';
import { listOrganisations } from '#server/organisations/organisation-store.ts';
import { checkOrganisations } from '#server/organisations/upstream.ts';
import { readKeyDomain } from '#server/proofs/passkeys/key-domain.ts';
import { bad, type Finding, good } from '#server/core/finding.ts';
import { DAY_MS, HOUR_MS } from '#domain/text/duration.ts';
import { lookAtAddresses, lookAtNumbers } from './accounts.ts';
import { lookAtSubtenants } from './subtenants.ts';

const OLDEST_VERSION = 150_000;

const CLOCK_MS = 5000;

/** A successor is published a day before it signs. */
const KEY_GRACE_DAYS = 3;

const ADMINISTRATING = Object.entries(ROLES).flatMap(([id, { family }]) =>
  family === 'admin' ? [Number(id)] : [],
);

export async function lookAtDatabase(config: Config): Promise<readonly Finding[]> {
  const opened = await openExisting(config).catch((error: Error) => error);
  if (opened instanceof Error) {
    return [bad('fault', 'database', 'databaseAway', { reason: opened.message })];
  }
  await using database = opened;
  const { db } = database;
  const state = await readMigrationState(db);
  const names = state.pending.join(', ');
  const server = await lookAtServer(db);
  // Its catalog lacks what is asked below.
  if (server.some(({ check, state }) => check === 'database' && state === 'fault')) return server;
  return [
    ...server,
    await lookAtCollation(db),
    ...(names === ''
      ? [good('migrations', texts.migrated), ...(await lookAtRows(db, config))]
      : [bad('fault', 'migrations', 'notMigrated', { names })]),
  ];
}

/** Tries the providers of organisations that are on; a tenant has none. */
async function lookAtOrganisations(db: Db, config: Config): Promise<readonly Finding[]> {
  const organisations = (await listOrganisations(db)).filter(({ on }) => on);
  if (config.tenant) {
    const ids = organisations.map(({ id }) => id).join(', ');
    return ids === '' ? [] : [bad('warning', 'organisations', 'organisationTenant', { ids })];
  }
  const secretBox = createSecretBox(config.secret, config.previousSecrets);
  return checkOrganisations({ db, config, secretBox, clock: createClock() }, organisations);
}

export async function lookAtServer(db: Db): Promise<readonly Finding[]> {
  const asked = Date.now();
  const { rows } = await sql<{ version: string; number: string; isOff: string; ms: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      current_setting('transaction_read_only') as "isOff", extract(epoch from clock_timestamp()) * 1000 as ms
    `.execute(db);
  const { version = '', number, isOff, ms } = rows[0] ?? {};
  const apartMs = Math.abs((asked + Date.now()) / 2 - Number(ms));
  return judgeServer({ version, number: Number(number), isReadOnly: isOff === 'on', apartMs });
}

/** Returns the faults of a database server. `apartMs` is the difference between its clock and ours. */
export const judgeServer = ({
  version,
  number,
  isReadOnly,
  apartMs,
}: {
  readonly version: string;
  /** As PostgreSQL counts: 150004 is 15.4. */
  readonly number: number;
  readonly isReadOnly: boolean;
  readonly apartMs: number;
}): readonly Finding[] => [
  number < OLDEST_VERSION
    ? bad('fault', 'database', 'oldVersion', { version })
    : good('database', texts.database, { version }),
  isReadOnly ? bad('fault', 'writable', 'readOnly') : good('writable', texts.writable),
  apartMs > CLOCK_MS
    ? bad('fault', 'clock', 'clockOff', { seconds: Math.round(apartMs / 1000) })
    : good('clock', texts.clock),
];

/** An index of text is in the order of the collation that made it: in another order, rows are not found. */
async function lookAtCollation(db: Db): Promise<Finding> {
  const { rows } = await sql<{ name: string; made: string; now: string }>`
    select * from (select datname as name, datcollversion as made,
      coalesce(pg_database_collation_actual_version(oid), '') as now from pg_database
      where datname = current_database()) each where made <> now`.execute(db);
  const [off] = rows;
  return off ? bad('fault', 'collation', 'collationOff', off) : good('collation', texts.collation);
}

/** A backup may be as old as for the alarm on `porchlight_backup_age_seconds`: a day, and two hours for the next one. */
const BACKUP_HOURS = 26;

export async function lookAtBackup(db: Db): Promise<Finding> {
  const backup = await newestBackup(db);
  if (!backup) return bad('warning', 'backup', 'noBackup');
  const hours = Math.floor((Date.now() - backup.getTime()) / HOUR_MS);
  return hours > BACKUP_HOURS
    ? bad('warning', 'backup', 'oldBackup', { hours })
    : good('backup', texts.backup, { hours });
}

async function lookAtRows(db: Db, config: Config): Promise<readonly Finding[]> {
  const letters = (await createDeadLetters({ db, clock: createClock() }).list()).length;
  return [
    ...(await lookAtKeys(db, config)),
    ...(await lookAtSavedKeys(db, config)),
    ...(await lookAtSubtenants(db, config)),
    ...(await lookAtOrganisations(db, config)),
    ...(await lookAtRoles(db)),
    await lookAtNumbers(db),
    ...(await lookAtAddresses(db)),
    await lookAtBackup(db),
    letters > 0
      ? bad('fault', 'deadLetters', 'deadLetters', { count: letters })
      : good('deadLetters', texts.noDeadLetters),
  ];
}

async function lookAtKeys(db: Db, config: Config): Promise<readonly Finding[]> {
  const clock = createClock();
  const secretBox = createSecretBox(config.secret, config.previousSecrets);
  const store = createSigningKeyStore({ db, clock, secretBox, audit: createAudit({ db, clock }) });
  const keys = await store.list();
  if (keys.length === 0) return [bad('warning', 'keys', 'noKeys')];
  try {
    for (const key of keys) store.open(key);
  } catch {
    return [bad('fault', 'keys', 'keysClosed')];
  }
  const old = KEY_USES.flatMap((use) => {
    const newest = Math.max(
      ...keys.filter((key) => key.use === use).map(({ createdAt }) => +createdAt),
    );
    const days = Math.floor((clock.now().getTime() - newest) / DAY_MS);
    const isOld = days > config.keyRotationDays + KEY_GRACE_DAYS;
    return isOld ? [bad('warning', 'keys', 'keysOld', { use, days })] : [];
  });
  return old.length > 0 ? old : [good('keys', texts.keys)];
}

/** A key of another domain opens nothing here. */
async function lookAtSavedKeys(db: Db, { keys }: Config): Promise<readonly Finding[]> {
  const { rpId, count } = await readKeyDomain(db);
  if (!keys) {
    return count > 0
      ? [bad('warning', 'savedKeys', 'savedKeysOff', { count })]
      : [good('savedKeys', texts.noSavedKeys)];
  }
  return count > 0 && rpId !== keys.rpId
    ? [bad('fault', 'savedKeys', 'otherDomain', { count, old: rpId ?? '', rpId: keys.rpId })]
    : [good('savedKeys', texts.savedKeys, { count, rpId: keys.rpId })];
}

async function lookAtRoles(db: Db): Promise<readonly Finding[]> {
  // From one role to the next by the index: among millions of rows the roles are few.
  const { rows: roles } = await sql<{ role_id: number }>`
    with recursive each (role_id) as (
      (select role_id from user_roles order by role_id limit 1)
      union all
      select (select role_id from user_roles where role_id > each.role_id order by role_id limit 1)
      from each where role_id is not null)
    select role_id from each where role_id is not null order by role_id`.execute(db);
  const active = (roleIds: readonly number[]) =>
    db
      .selectFrom('user_roles')
      .innerJoin('users', 'users.id', 'user_roles.user_id')
      .select('user_roles.role_id')
      .where('users.status', '=', 'active')
      .where('user_roles.role_id', 'in', roleIds)
      .orderBy('user_roles.role_id');
  const unknown = roles.map((row) => row.role_id).filter((id) => !isRoleId(id));
  const strange = unknown.length === 0 ? [] : await active(unknown).execute();
  const [role = 0] = ADMINISTRATING;
  // An Auth0 tenant keeps passwords itself.
  const canSignIn = active(ADMINISTRATING).where((eb) =>
    eb.or([eb('users.password_hash', 'is not', null), eb('users.hosted_user_id', 'is not', null)]),
  );
  return [
    (await canSignIn.limit(1).executeTakeFirst())
      ? good('administrator', texts.administrator)
      : bad('warning', 'administrator', 'noAdministrator', {
          roles: ADMINISTRATING.join(', '),
          role,
        }),
    ...(strange.length > 0
      ? [
          bad('warning', 'roles', 'unknownRoles', {
            count: strange.length,
            roles: [...new Set(strange.map(({ role_id }) => role_id))].join(', '),
          }),
        ]
      : []),
  ];
}
