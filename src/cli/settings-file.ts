import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { initCommand as texts } from '#locales/operator/init-command.ts';
import { settingSections } from '#locales/operator/settings.ts';
import { DRAIN_SECONDS, PRODUCTION_LOG_LEVEL } from '#server/config/config.ts';
import { CONFIG_FILE } from '#server/config/config-file.ts';
import { type SettingRow, settingRows } from '#server/config/config-schema.ts';
import { PRODUCTION_SMS_COUNTRIES } from '#server/config/delivery-config.ts';
import { packageFile } from '#server/package-file.ts';

const OWNER_ONLY = 0o600;
const SECRET_BYTES = 48;
const SCHEMA = packageFile('docs/porchlight.schema.json');

/** Secrets that a production needs; both are addresses with a password inside. */
const NEEDED_SECRETS: readonly string[] = ['DATABASE_URL', 'SMTP_URL'];
/** Settings that a production needs and that only the operator knows. */
const NEEDED: readonly string[] = [
  'PORCHLIGHT_PUBLIC_URL',
  'TRUSTED_PROXIES',
  'MAIL_FROM',
  'PORCHLIGHT_MODULES_FILE',
  'PORCHLIGHT_HELP_PHONE',
  'PORCHLIGHT_HELP_EMAIL',
];

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

/** Writes a file that only its owner reads, unless there is one. @returns whether it was written */
function writeOnce(path: string, content: () => string): boolean {
  try {
    writeFileSync(path, content(), { mode: OWNER_ONLY, flag: 'wx' });
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
export function writeSettings(files: SettingsFiles): readonly string[] {
  const { configFile, environmentFile } = files;
  if (existsSync(environmentFile)) return [];
  return [
    ...(writeOnce(configFile, () => configText(files)) ? [configFile] : []),
    ...(writeOnce(environmentFile, () => environmentText(configFile)) ? [environmentFile] : []),
  ];
}

function environmentText(configFile: string): string {
  const rows = settingRows();
  const needed = rows.filter(({ name }) => NEEDED_SECRETS.includes(name));
  const further = rows.filter(({ isSecret, name }) => isSecret && name !== 'PORCHLIGHT_SECRET');
  return [
    texts.secrets,
    '',
    texts.config,
    // Docker takes quotes as part of a value.
    `${CONFIG_FILE}=${/[\s#]/.test(configFile) ? `'${configFile}'` : configFile}`,
    '',
    ...needed.flatMap(({ name, meaning }) => [`# ${meaning}`, `${name}=`, '']),
    texts.rest,
    ...further.flatMap(({ name, meaning }) => [`# ${meaning}`, `#${name}=`]),
    '',
  ].join('\n');
}

function configText({ configFile, secretFile }: SettingsFiles): string {
  const given: Readonly<Record<string, unknown>> = {
    PORCHLIGHT_MODE: 'production',
    // A proxy on this machine reaches it, and plain HTTP is not offered to the network.
    HOST: '127.0.0.1',
    PORCHLIGHT_SECRET_FILE: basename(secretFile),
  };
  const rows = settingRows().filter(({ isSecret }) => !isSecret);
  const schema = JSON.stringify(relative(dirname(configFile), SCHEMA));
  const lineOf = (row: SettingRow, key: string) => {
    const isOn = row.name in given || NEEDED.includes(row.name);
    const value = JSON.stringify(
      given[row.name] ?? PRODUCTION_DEFAULTS[row.name] ?? placeholder(row.schema),
    );
    return [`// ${row.meaning}`, `${isOn ? '' : '// '}${JSON.stringify(key)}: ${value},`];
  };
  return [
    texts.top,
    '{',
    `  "$schema": ${schema},`,
    ...section(rows, 0, lineOf).map((line) => (line === '' ? '' : `  ${line}`)),
    '}',
    '',
  ].join('\n');
}

/** The lines of a section, in the order of the table; `depth`: how many parts of their paths stand outside it. */
function section(
  rows: readonly SettingRow[],
  depth: number,
  lineOf: (row: SettingRow, key: string) => readonly string[],
): readonly string[] {
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
