/** `porchlight init`: sets up a first production. It changes no existing file. */

import { dirname, join, resolve } from 'node:path';
import type { RoleId } from '#domain/people/roles.ts';
import { ACADEMY_SUBTENANT_ID, DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { initCommand as texts } from '#locales/operator/init-command.ts';
import { fill } from '#locales/fill.ts';
import { findAccountByEmail } from '#server/accounts/account-store.ts';
import { CONFIG_NAME } from '#server/config/config-file.ts';
import { readConfig } from '#server/config/config.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { openConfigured } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { insertSubtenant } from '#server/subtenants/subtenant-store.ts';
import { inviteNew, type NewPerson } from '#server/administration/people.ts';
import { type CommandContext, type CommandOf, type Output, output } from './command.ts';
import { wrongUsage } from './program.ts';
import { ENVIRONMENT_FILE, openInstallation } from './installation.ts';
import { readPerson } from './person-words.ts';
import { type SettingsFiles, writeSecret, writeSettings } from './settings-file.ts';
import { DEFAULT_LOGO, subtenantNameIn } from '#server/subtenants/subtenant-operations.ts';

const SECRET_FILE = 'porchlight.secret';
const STAFF: RoleId = 3;

type Wanted = {
  readonly name: string | undefined;
  readonly academy: string | undefined;
  readonly person: NewPerson | null;
};

export const init: CommandOf<'init'> = {
  ''(words, { name, academy, role }) {
    const isPerson = words.length === 3;
    if (words.length > 0 !== isPerson) throw wrongUsage('init', '', texts.needsNames);
    if (role && !isPerson) throw wrongUsage('init', '', texts.needsPerson);
    const wanted: Wanted = {
      name: name === undefined ? name : subtenantNameIn(name),
      academy: academy === undefined ? academy : subtenantNameIn(academy),
      person: isPerson ? readPerson(words, { role: role ?? [String(STAFF)] }) : null,
    };
    return async (at) => {
      const files = filesOf(at.settingsFile);
      const written = [
        ...(writeSecret(files) ? [fill(texts.secretWritten, { file: files.secretFile })] : []),
        ...writeSettings(files).map((file) => fill(texts.settingsWritten, { file })),
      ];
      const done = await setUp(files.environmentFile, wanted);
      return { ...done, text: [...written.map((line) => `${line}\n`), done.text].join('') };
    };
  },
};

/** Returns the report, for people and for programs. */
type Done<Data> = { readonly said: string; readonly data: Data };

/** Beside each other; `named`: the one of the settings that has a name of its own. */
function filesOf(named: string | null): SettingsFiles {
  const file = resolve(named ?? ENVIRONMENT_FILE);
  const beside = (name: string) => join(dirname(file), name);
  const isConfig = file.endsWith('.json');
  return {
    secretFile: beside(SECRET_FILE),
    configFile: isConfig ? file : beside(CONFIG_NAME),
    environmentFile: isConfig ? beside(ENVIRONMENT_FILE) : file,
  };
}

async function setUp(file: string, wanted: Wanted): Promise<Output> {
  const installation = openInstallation(file);
  const { config, faults } = readConfig(installation.env());
  if (!config) {
    const lines = faults.map((text) => `  - ${text}`);
    return output([texts.fillIn, ...lines], { file, faults }, true);
  }
  const database = await openConfigured(config);
  let applied: readonly string[];
  try {
    applied = await database.maintenance(migrate);
  } finally {
    await database.close();
  }
  return installation.withDatabase(async (context) => {
    const { subtenants, person } = await context.db.transaction().execute(async (db) => {
      const inside = { ...context, db };
      return {
        subtenants: [
          await addSubtenant(inside, DEFAULT_SUBTENANT_ID, wanted.name),
          ...(wanted.academy === undefined
            ? []
            : [await addSubtenant(inside, ACADEMY_SUBTENANT_ID, wanted.academy)]),
        ],
        person: wanted.person ? await addPerson(inside, wanted.person) : null,
      };
    });
    const said = [
      fill(texts.migrated, { count: applied.length }),
      ...subtenants.map((each) => each.said),
      ...(person ? [person.said] : []),
      fill(texts.next, { file }),
    ];
    return output(said, {
      file,
      applied,
      subtenants: subtenants.map((each) => each.data),
      person: person?.data ?? null,
    });
  });
}

async function addSubtenant(
  { db, audit }: CommandContext,
  id: number,
  name: string | undefined,
): Promise<Done<{ readonly id: number; readonly isAdded: boolean }>> {
  const isThere = { said: fill(texts.subtenantThere, { id }), data: { id, isAdded: false } };
  const there = await db
    .selectFrom('subtenants')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (there) return isThere;
  if (name === undefined) throw new OperatorError(fill(texts.noName, { id }));
  const row = { id, name, logo_path: DEFAULT_LOGO, accent: null };
  if (!(await insertSubtenant(db, row))) return isThere;
  await audit({ kind: 'subtenant.added', details: { subtenantId: id, ...row } }, db);
  return { said: fill(texts.subtenantAdded, { id, name }), data: { id, isAdded: true } };
}

async function addPerson(
  context: CommandContext,
  person: NewPerson,
): Promise<Done<{ readonly email: string; readonly isInvited: boolean }>> {
  const { email, roleIds } = person;
  const isThere = { said: fill(texts.personThere, { email }), data: { email, isInvited: false } };
  if (await findAccountByEmail(context.db, email)) return isThere;
  const account = await inviteNew(context, person);
  if (!account) return isThere;
  const said = fill(texts.invited, { email, id: account.id, roles: roleIds.join(', ') });
  return { said, data: { email, isInvited: true } };
}
