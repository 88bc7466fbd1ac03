/** `porchlight doctor`: what of a running installation is not as it should be. It changes nothing. */

import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { sql } from 'kysely';
import { isRoleId, ROLES } from '#domain/roles.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { accentTheme } from '#domain/theme.ts';
import { isEmail } from '#domain/validation.ts';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { fill } from '#locales/fill.ts';
import { createAudit } from '#server/audit/audit.ts';
import { createClock } from '#server/clock.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { KEY_USES, DAY_MS } from '#server/crypto/rotation-schedule.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { createSigningKeyStore } from '#server/crypto/signing-key-store.ts';
import { type Database, type Db, openExisting } from '#server/db/database.ts';
import { readMigrationState } from '#server/db/migrate.ts';
import { createDeadLetters } from '#server/jobs/dead-letters.ts';
import { createSmtpDriver, greetMailServer } from '#server/notifications/drivers/smtp.ts';
import { loadConfiguredLogos } from '#server/subtenants/logos.ts';
import { listSubtenants } from '#server/subtenants/subtenant-store.ts';
import { type CommandOf, output, type Output } from './command.ts';
import { call } from '#module-kit/browser.ts';

type Finding = {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly what: string;
  /** What to do; '' when it is well. */
  readonly mend: string;
};
type Values = Readonly<Record<string, string | number>>;

const OLDEST_VERSION = 150_000;
const CLOCK_MS = 5000;
const NETWORK_MS = 5000;
/** A successor is published a day before it signs. */
const KEY_GRACE_DAYS = 3;
const CERTIFICATE_DAYS = 14;
/** Answers of a server that knows no such address or method. */
const NOT_THERE = new Set([404, 405]);
const ADMINISTRATING = Object.entries(ROLES).flatMap(([id, { family }]) =>
  family === 'admin' ? [Number(id)] : [],
);

const good = (check: string, what: string, values: Values = {}): Finding => ({
  check,
  state: 'ok',
  what: fill(what, values),
  mend: '',
});
const bad = (
  state: 'warning' | 'fault',
  check: string,
  name: keyof typeof texts,
  values: Values = {},
): Finding => ({
  check,
  state,
  // The line ends it: a reason that is a sentence already would end twice.
  what: fill(texts[name], values).replace(/\.$/, ''),
  mend: fill(texts[`${name}Mend` as keyof typeof texts], values),
});

export const doctor: CommandOf<'doctor'> = {
  ''(_, { mail = null }) {
    if (mail !== null && !isEmail(mail)) throw new OperatorError(fill(texts.badMail, { mail }));
    return async (at) => report(await look(at.env(), mail));
  },
};

/** What of the subtenants is not as it should be, for `porchlight subtenant check`. */
export const checkSubtenants = async (db: Db, config: Config): Promise<Output> =>
  report(await lookAtSubtenants(db, config));

function report(findings: readonly Finding[]): Output {
  const count = (state: string) => findings.filter((each) => each.state === state).length;
  const lines = findings.map((each) => fill(texts[each.state], each));
  const counts = { faults: count('fault'), warnings: count('warning') };
  return output([...lines, fill(texts.done, counts)], findings, counts.faults > 0);
}

async function look(env: NodeJS.ProcessEnv, mail: string | null): Promise<readonly Finding[]> {
  const { config, faults, warnings } = readConfig(env);
  const settings = [
    ...faults.map((text) => bad('fault', 'settings', 'badSetting', { text })),
    ...warnings.map((text) => bad('warning', 'settings', 'setting', { text })),
  ];
  if (!config) return settings;
  return [
    good('settings', texts.settings),
    ...settings,
    ...(await lookAtDatabase(config)),
    ...(await lookAtMail(config, mail)),
    config.crm
      ? good('leads', texts.leads)
      : bad('warning', 'leads', 'noLeads', { days: config.leadDays }),
    ...(await lookAtModules(config)),
    ...(config.events
      ? [good('events', texts.events, { host: new URL(config.events.url).host })]
      : []),
    ...(await lookFromOutside(config)),
  ];
}

async function lookAtDatabase(config: Config): Promise<readonly Finding[]> {
  let database: Database;
  try {
    database = await openExisting(config);
  } catch (error) {
    return [bad('fault', 'database', 'databaseAway', { reason: (error as Error).message })];
  }
  try {
    const { db } = database;
    const state = await readMigrationState(db);
    const names = state.pending.join(', ');
    return [
      ...(await lookAtServer(db)),
      ...(names === ''
        ? [good('migrations', texts.migrated), ...(await lookAtRows(db, config))]
        : [bad('fault', 'migrations', 'notMigrated', { names })]),
    ];
  } finally {
    await database.close();
  }
}

async function lookAtServer(db: Db): Promise<readonly Finding[]> {
  const asked = Date.now();
  const { rows } = await sql<{ version: string; number: string; isOff: string; ms: string }>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
      current_setting('transaction_read_only') as "isOff", extract(epoch from clock_timestamp()) * 1000 as ms
    `.execute(db);
  const { version = '', number, isOff, ms } = rows[0] ?? {};
  const apartMs = Math.abs((asked + Date.now()) / 2 - Number(ms));
  return judgeServer({ version, number: Number(number), isReadOnly: isOff === 'on', apartMs });
}

/** What of a database server is not as it has to be; `apartMs`: its clock and ours. */
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

async function lookAtRows(db: Db, config: Config): Promise<readonly Finding[]> {
  const letters = (await createDeadLetters({ db, clock: createClock() }).list()).length;
  return [
    ...(await lookAtKeys(db, config)),
    ...(await lookAtSubtenants(db, config)),
    ...(await lookAtRoles(db)),
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

async function lookAtSubtenants(db: Db, config: Config): Promise<readonly Finding[]> {
  const rows = await listSubtenants(db);
  const logos = loadConfiguredLogos(config).paths();
  const id = DEFAULT_SUBTENANT_ID;
  const isThere = rows.some((row) => row.id === id && row.is_active);
  return [
    isThere
      ? good('subtenants', texts.subtenant, { id })
      : bad('fault', 'subtenants', 'noSubtenant', { id }),
    ...rows.flatMap((row) => [
      ...(row.accent !== null && accentTheme(row.accent) === null
        ? [bad('warning', 'subtenants', 'badAccent', { id: row.id })]
        : []),
      ...(logos.includes(row.logo_path)
        ? []
        : [bad('fault', 'subtenants', 'badLogo', { id: row.id, logo: row.logo_path })]),
    ]),
  ];
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

async function lookAtMail(config: Config, to: string | null): Promise<readonly Finding[]> {
  const { mail, publicUrl, providerTimeoutMs: timeoutMs } = config;
  if (!mail) return [bad('warning', 'mail', 'noMail')];
  if (to === null) {
    return greetMailServer(mail, timeoutMs).then(
      () => [good('mail', texts.mailGreeted)],
      (error: Error) => [bad('fault', 'mail', 'mailAway', { reason: error.message })],
    );
  }
  const driver = createSmtpDriver(mail, { host: new URL(publicUrl).hostname, timeoutMs });
  const text = fill(texts.mailText, { url: publicUrl });
  const id = randomUUID();
  const message = { to, subject: texts.mailSubject, text, html: null, code: null, link: null };
  try {
    await driver.send({
      message: { ...message, channel: 'email' },
      id,
      idempotencyKey: id,
      validForMs: null,
    });
    return [good('mail', texts.mail, { to })];
  } catch (error) {
    return [bad('fault', 'mail', 'mailFailed', { reason: (error as Error).message })];
  } finally {
    driver.close?.();
  }
}

/** A call without a token ends nothing, and a module that listens refuses it. */
async function lookAtModules({ modules }: Config): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { id, signOutUrl } of modules) {
    if (signOutUrl === null) continue;
    const { status } = await call(signOutUrl, { method: 'POST', body: new URLSearchParams() });
    const isRefused = status !== null && status >= 400 && status < 500 && !NOT_THERE.has(status);
    if (isRefused) findings.push(good('modules', texts.moduleListens, { id }));
    else if (status === 200 || status === 204) {
      findings.push(bad('fault', 'modules', 'moduleBelieves', { id }));
    } else {
      const reason = String(status ?? texts.noAnswer);
      findings.push(bad('warning', 'modules', 'moduleDeaf', { id, reason }));
    }
  }
  return findings;
}

/** As visitors come: by name, through whatever stands in front. */
async function lookFromOutside({ publicUrl, tenant }: Config): Promise<readonly Finding[]> {
  const url = new URL(publicUrl);
  const seen = [await lookAtAddress(publicUrl, tenant !== null)];
  return url.protocol === 'https:' ? [...seen, ...(await lookAtCertificate(url))] : seen;
}

async function lookAtAddress(url: string, isElsewhere: boolean): Promise<Finding> {
  const path = isElsewhere ? '/api/health/live' : '/idp/.well-known/openid-configuration';
  const refused = (reason: string) => bad('fault', 'publicUrl', 'notReached', { url, reason });
  try {
    const signal = AbortSignal.timeout(NETWORK_MS);
    const response = await fetch(`${url}${path}`, { signal, redirect: 'error' });
    if (!response.ok) return refused(String(response.status));
    const { issuer } = (await response.json()) as { issuer?: unknown };
    if (!isElsewhere && issuer !== `${url}/idp/`) {
      return refused(fill(texts.otherIssuer, { issuer: String(issuer) }));
    }
    return good('publicUrl', texts.reached, { url });
  } catch (error) {
    const { message, cause } = error as Error;
    return refused(cause instanceof Error ? cause.message : message);
  }
}

async function lookAtCertificate({ hostname, port }: URL): Promise<readonly Finding[]> {
  const ends = await new Promise<string | null>((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port) || 443,
      servername: hostname,
      // Whether it is trusted is told by the request before; here it is looked at.
      rejectUnauthorized: false,
      timeout: NETWORK_MS,
    });
    const end = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(socket.getPeerCertificate().valid_to));
    socket.once('error', () => end(null));
    socket.once('timeout', () => end(null));
  });
  return ends === null ? [] : [judgeCertificate(hostname, new Date(ends), new Date())];
}

/** What the end of a certificate says: over is a fault, soon a warning. */
export function judgeCertificate(host: string, ends: Date, now: Date): Finding {
  const days = (ends.getTime() - now.getTime()) / DAY_MS;
  const values = { host, until: ends.toISOString().slice(0, 10) };
  if (days > CERTIFICATE_DAYS) return good('certificate', texts.certificate, values);
  return bad(days > 0 ? 'warning' : 'fault', 'certificate', 'certificateEnds', values);
}
