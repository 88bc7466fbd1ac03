import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { initCommand as texts } from '#locales/operator/init-command.ts';
import { settingSections } from '#locales/operator/settings.ts';
import { DRAIN_SECONDS, PRODUCTION_LOG_LEVEL } from '#server/config/config.ts';
import { CONFIG_FILE } from '#server/config/config-file.ts';
import { type SettingRow, settingRows } from '#server/config/config-schema.ts';
import { PRODUCTION_SMS_COUNTRIES } from '#server/config/delivery-config.ts';
import { packageFile } from '#server/core/package-file.ts';
import { writePrivately } from './private-file.ts';

const SECRET_BYTES = 48;
const MODULES_FILE = 'modules.json';
const SCHEMA = packageFile('docs/porchlight.schema.json');

/** Secrets that a production needs; both are addresses with a password inside. */
const NEEDED_SECRETS: readonly string[] = ['DATABASE_URL', 'SMTP_URL'];
/** Settings that a production needs and that only the operator knows. */
const NEEDED: readonly string[] = [
  'PORCHLIGHT_PUBLIC_URL',
  'TRUSTED_PROXIES',
  'MAIL_FROM',
  'PORCHLIGHT_HELP_PHONE',
  'PORCHLIGHT_HELP_EMAIL',
];
const OPERATORS = 'PORCHLIGHT_CONSOLE_OPERATORS';

/** Values of settings by the names of their variables, as the environment would have them. */
export type Answers = Readonly<Record<string, string>>;

/**
 * Returns the settings that only the operator knows: from the environment, else as answered.
 * @param ask answers with an empty text where the operator leaves it for later
 */
export async function operatorAnswers(
  env: NodeJS.ProcessEnv,
  ask: (question: string) => Promise<string>,
): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const [name, question] of Object.entries(texts.questions)) {
    answers[name] = env[name] ?? (await ask(question));
  }
  return answers;
}

/** Where the default depends on the mode: an operator who uncomments the line keeps what production has. */
const PRODUCTION_DEFAULTS: Readonly<Record<string, unknown>> = {
  PORCHLIGHT_DRAIN_SECONDS: DRAIN_SECONDS,
  LOG_LEVEL: PRODUCTION_LOG_LEVEL,
  SMS_COUNTRIES: PRODUCTION_SMS_COUNTRIES,
  PORCHLIGHT_APP_CODES: false,
};

export type SettingsFiles = {
  readonly secretFile: string;
  /** `porchlight.json`. */
  readonly configFile: string;
  /** The lines of the environment file. */
  readonly environmentFile: string;
};

/** Writes a file that others do not read, unless there is one. @returns whether it was written */
function writeOnce(path: string, content: () => string): boolean {
  try {
    writePrivately(path, content());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** @returns whether it was written */
export const writeSecret = ({ secretFile }: SettingsFiles): boolean =>
  writeOnce(secretFile, () => `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);

/**
 * The settings that a production needs, to be filled in, and every other one as a comment. An installation that has its
 * environment already, all of it, gets no second file.
 * @returns the files that were written
 */
export function writeSettings(files: SettingsFiles, answers: Answers = {}): readonly string[] {
  const { configFile, environmentFile } = files;
  if (existsSync(environmentFile)) return [];
  const environment = () => environmentText(configFile, answers);
  // Beside a configuration of the operator's own, which may name another file.
  const modules = join(dirname(configFile), MODULES_FILE);
  return [
    ...(writeOnce(configFile, () => configText(files, answers))
      ? [configFile, ...(writeOnce(modules, () => '[]\n') ? [modules] : [])]
      : []),
    ...(writeOnce(environmentFile, environment) ? [environmentFile] : []),
  ];
}

/**
 * Names the operator of the console in the configuration file, where its section is still as `writeSettings` wrote it.
 * @returns whether it was written
 */
export function writeOperator(configFile: string, grant: string): boolean {
  if (!existsSync(configFile)) return false;
  const text = readFileSync(configFile, 'utf8');
  const [before, after] = [{}, { [OPERATORS]: [grant] }].map((given) =>
    indented(section(CONSOLE_ROWS, 0, lineWith(given))).join('\n'),
  );
  if (!before || after === undefined || !text.includes(before)) return false;
  writeFileSync(
    configFile,
    text.replace(before, () => after),
  );
  return true;
}

const CONSOLE_ROWS = settingRows().filter(({ path }) => path.startsWith('console.'));

function environmentText(configFile: string, answers: Answers): string {
  const rows = settingRows();
  const needed = rows.filter(({ name }) => NEEDED_SECRETS.includes(name));
  const further = rows.filter(({ isSecret, name }) => isSecret && name !== 'PORCHLIGHT_SECRET');
  return [
    texts.secrets,
    '',
    texts.config,
    `${CONFIG_FILE}=${quoted(configFile)}`,
    '',
    ...needed.flatMap(({ name, meaning }) => [
      `# ${meaning}`,
      `${name}=${quoted(answers[name] ?? '')}`,
      '',
    ]),
    texts.rest,
    ...further.flatMap(({ name, meaning }) => [`# ${meaning}`, `#${name}=`]),
    '',
  ].join('\n');
}

/** Docker takes quotes as part of a value: they are there only where they are needed. */
const quoted = (value: string): string => (/[\s#'"]/.test(value) ? `'${value}'` : value);

function configText({ configFile, secretFile }: SettingsFiles, answers: Answers): string {
  const given: Readonly<Record<string, unknown>> = {
    PORCHLIGHT_MODE: 'production',
    // A proxy on this machine reaches it, and plain HTTP is not offered to the network.
    HOST: '127.0.0.1',
    PORCHLIGHT_SECRET_FILE: basename(secretFile),
    PORCHLIGHT_MODULES_FILE: MODULES_FILE,
  };
  const rows = settingRows().filter(({ isSecret }) => !isSecret);
  const schema = JSON.stringify(relative(dirname(configFile), SCHEMA));
  const answered = rows.flatMap(({ name, schema: { type } }) => {
    const value = NEEDED.includes(name) ? (answers[name] ?? '') : '';
    if (value === '') return NEEDED.includes(name) ? [[name, type === 'array' ? [] : '']] : [];
    return [[name, type === 'array' ? value.split(',').map((each) => each.trim()) : value]];
  });
  return [
    texts.top,
    '{',
    `  "$schema": ${schema},`,
    ...indented(section(rows, 0, lineWith({ ...given, ...Object.fromEntries(answered) }))),
    '}',
    '',
  ].join('\n');
}

const indented = (lines: readonly string[]) =>
  lines.map((line) => (line === '' ? '' : `  ${line}`));

type LineOf = (row: SettingRow, key: string) => readonly string[];

/** Returns what writes the lines of a setting: with its value where one is given, else as a comment. */
function lineWith(given: Readonly<Record<string, unknown>>): LineOf {
  return (row, key) => {
    const value = JSON.stringify(
      given[row.name] ?? PRODUCTION_DEFAULTS[row.name] ?? placeholder(row.schema),
    );
    return [
      `// ${row.meaning}`,
      `${row.name in given ? '' : '// '}${JSON.stringify(key)}: ${value},`,
    ];
  };
}

/** The lines of a section, in the order of the table; `depth`: how many parts of their paths stand outside it. */
function section(rows: readonly SettingRow[], depth: number, lineOf: LineOf): readonly string[] {
  const keyOf = ({ path }: SettingRow) => path.split('.')[depth] ?? '';
  return [...new Set(rows.map(keyOf))].flatMap((key) => {
    const inside = rows.filter((row) => keyOf(row) === key);
    const [row] = inside;
    const blank = depth === 0 ? [''] : [];
    if (row && row.path.split('.').length === depth + 1) return [...blank, ...lineOf(row, key)];
    const says = (settingSections as Readonly<Record<string, string>>)[key];
    const lines = section(inside, depth + 1, lineOf);
    // A section without a value is a comment: the release before may not know it.
    const isEmpty = lines.every((line) => line.trimStart().startsWith('//'));
    const mark = isEmpty ? '// ' : '';
    return [
      ...blank,
      ...(says === undefined ? [] : [`// ${says}`]),
      `${mark}${JSON.stringify(key)}: {`,
      ...lines.map((line) => `  ${line}`),
      `${mark}},`,
    ];
  });
}

/** Returns the value before an operator fills it in: the default, or the value that counts as none. */
function placeholder(schema: SettingRow['schema']): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.type === 'array') return [];
  if (schema.type === 'object') return {};
  return schema.minimum ?? '';
}
