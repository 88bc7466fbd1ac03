/** `porchlight init`: sets up a first production. Of an existing file it changes only who operates the console. */

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RoleId } from '#domain/people/roles.ts';
import { ACADEMY_SUBTENANT_ID, DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { initCommand as texts } from '#locales/operator/init-command.ts';
import { fill } from '#locales/fill.ts';
import { findAccountByEmail } from '#server/accounts/account-store.ts';
import { CONFIG_NAME } from '#server/config/config-file.ts';
import { type Config, readConfig } from '#server/config/config.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type Db, openConfigured } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { insertSubtenant } from '#server/subtenants/subtenant-store.ts';
import { inviteNew, type NewPerson } from '#server/people/people.ts';
import {
  type CommandContext,
  type CommandOf,
  type Installation,
  type Output,
  output,
} from './command.ts';
import { wrongUsage } from './program.ts';
import { ENVIRONMENT_FILE, openInstallation } from './installation.ts';
import { readPerson } from './person-words.ts';
import {
  type Answers,
  operatorAnswers,
  type SettingsFiles,
  writeOperator,
  writeSecret,
  writeSettings,
} from './settings-file.ts';
import {
  DEFAULT_LOGO,
  requireOwnName,
  subtenantNameIn,
} from '#server/subtenants/subtenant-operations.ts';

const SECRET_FILE = 'porchlight.secret';
/** Staff, and administrator. */
const FIRST_ROLES: readonly RoleId[] = [3, 4];

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
      person: isPerson ? firstPerson(words, role) : null,
    };
    return async (at) => {
      const files = filesOf(at.settingsFile);
      const written = [
        ...(writeSecret(files) ? [fill(texts.secretWritten, { file: files.secretFile })] : []),
        ...writeSettings(files, await knownSettings(files, at)).map((file) =>
          fill(texts.settingsWritten, { file }),
        ),
      ];
      const done = await setUp(files, wanted, at);
      return { ...done, text: [...written.map((line) => `${line}\n`), done.text].join('') };
    };
  },
};

const firstPerson = (words: readonly string[], role?: readonly string[]): NewPerson =>
  readPerson(words, { role: role ?? FIRST_ROLES.map(String) });

/** Returns the settings that a file to be written gets: from the environment, and at a terminal by questions. */
async function knownSettings(files: SettingsFiles, { ask, say }: Installation): Promise<Answers> {
  if (existsSync(files.environmentFile)) return {};
  if (ask) say?.(texts.asking);
  return operatorAnswers(process.env, ask ?? (async () => ''));
}

/** Asks for what an empty installation needs and the words did not say. */
async function completed(db: Db, wanted: Wanted, { ask }: Installation): Promise<Wanted> {
  if (!ask || (await hasSubtenant(db, DEFAULT_SUBTENANT_ID))) return wanted;
  const name = wanted.name ?? subtenantNameIn(await ask(texts.askName));
  const words = wanted.person ? '' : await ask(texts.askPerson);
  const [email = '', first = '', ...last] = words.split(/\s+/);
  const person = words === '' ? wanted.person : firstPerson([email, first, last.join(' ')]);
  return { ...wanted, name, person };
}

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

async function setUp(files: SettingsFiles, asked: Wanted, at: Installation): Promise<Output> {
  const { environmentFile: file, configFile } = files;
  const installation = openInstallation(file);
  const { config, faults } = readConfig(installation.env());
  if (!config) {
    const lines = faults.map((text) => `  - ${text}`);
    return output([texts.fillIn, ...lines], { file, faults }, true);
  }
  const applied = await migrated(config);
  return installation.withDatabase(async (context) => {
    const wanted = await completed(context.db, asked, at);
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
      ...(person && config.console.length === 0 ? [nameOperator(person.data, configFile)] : []),
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

async function migrated(config: Config): Promise<readonly string[]> {
  await using database = await openConfigured(config);
  return await database.maintenance(migrate);
}

/** Makes the first person an operator of the console. @returns what was done, or what is left to do */
function nameOperator({ email, id, isInvited }: FirstPerson, configFile: string): string {
  const values = { email, grant: `account:${id}`, file: configFile };
  const isWritten = isInvited && writeOperator(configFile, values.grant);
  return isWritten ? fill(texts.operator, values) : fill(texts.noOperator, values);
}

async function hasSubtenant(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('subtenants')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

async function addSubtenant(
  { db, audit }: CommandContext,
  id: number,
  name: string | undefined,
): Promise<Done<{ readonly id: number; readonly isAdded: boolean }>> {
  const isThere = { said: fill(texts.subtenantThere, { id }), data: { id, isAdded: false } };
  if (await hasSubtenant(db, id)) return isThere;
  if (name === undefined) throw new OperatorError(fill(texts.noName, { id }));
  const row = { id, name, logo_path: DEFAULT_LOGO, accent: null };
  await requireOwnName(db, row);
  if (!(await insertSubtenant(db, row))) return isThere;
  await audit({ kind: 'subtenant.added', details: { subtenantId: id, ...row } }, db);
  return { said: fill(texts.subtenantAdded, { id, name }), data: { id, isAdded: true } };
}

type FirstPerson = { readonly email: string; readonly id: number; readonly isInvited: boolean };

async function addPerson(context: CommandContext, person: NewPerson): Promise<Done<FirstPerson>> {
  const { email, roleIds } = person;
  const there = await findAccountByEmail(context.db, email);
  if (there) {
    const data = { email, id: there.id, isInvited: false };
    return { said: fill(texts.personThere, { email }), data };
  }
  const account = await inviteNew(context, person);
  if (!account) throw new OperatorError(fill(texts.personThere, { email }));
  const { id } = account;
  const said = fill(texts.invited, { email, id, roles: roleIds.join(', ') });
  return { said, data: { email, id, isInvited: true } };
}
