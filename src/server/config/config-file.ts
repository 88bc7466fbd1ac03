import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { nearest } from '#domain/text/nearest.ts';
import { configFile as texts } from '#locales/operator/config-file.ts';
import { fill } from '#locales/fill.ts';
import { fileFault } from './fault-words.ts';
import { type Jsonc, JsoncError, parseJsonc } from './jsonc.ts';
import type { Setting, Settings } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** Names the file; it is no setting of the file itself. */
export const CONFIG_FILE = 'PORCHLIGHT_CONFIG';
/** Where it is looked for, in the working directory. */
export const CONFIG_NAME = 'porchlight.json';
/** Says that no file is read, though one lies there. */
const NO_FILE = 'none';

export type ConfigFile = {
  /** The settings of the file, as the environment would have them. */
  readonly given: Readonly<Record<string, string>>;
  /** Those that stand in the file in place of a file's name. */
  readonly inline: ReadonlyMap<string, unknown>;
  /** In words for the operator. */
  readonly faults: readonly string[];
  /** Names that are no settings, in words. */
  readonly warnings: readonly string[];
  /** Returns whether the file has this path, also with an empty value. */
  has(path: string): boolean;
  /** Returns the place of this path in the file: `porchlight.json:7 server.port`. */
  place(path: readonly PropertyKey[]): string;
};

/** The environment, with the file of the working directory where it names none. */
export function withDefaultFile(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env[CONFIG_FILE] || !existsSync(CONFIG_NAME)
    ? env
    : { ...env, [CONFIG_FILE]: CONFIG_NAME };
}

/** Reads the file that the environment names; `null`: it names none. */
export function readConfigFile(name: string | undefined): ConfigFile | null {
  if (!name || name === NO_FILE) return null;
  const short = basename(name);
  const empty = {
    given: {},
    inline: new Map(),
    warnings: [],
    has: () => false,
    place: () => short,
  };
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (error) {
    return { ...empty, faults: [`${CONFIG_FILE} ${name}: ${fileFault(error)}`] };
  }
  try {
    return translate(parseJsonc(text), { short, directory: dirname(resolve(name)) });
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    return { ...empty, faults: [`${short}:${error.line} ${error.message}`] };
  }
}

type Where = { readonly short: string; readonly directory: string };
type Entry = readonly [name: string, row: Setting];

const ROWS: readonly Entry[] = Object.entries(SETTINGS satisfies Settings);
const BY_PATH = new Map(ROWS.map((entry) => [entry[1].path, entry]));
const SECTIONS = new Set(
  ROWS.flatMap(([, { path }]) => {
    const parts = path.split('.');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('.'));
  }),
);
/** What may stand there: sections and settings, without the secrets. */
const ALLOWED = ROWS.filter(([, { form }]) => form !== 'secret').flatMap(([, { path }]) =>
  path.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.')),
);
/** Editors look up there what may stand in the file. */
const SCHEMA_KEY = '$schema';

function translate({ value: whole, lines }: Jsonc, { short, directory }: Where): ConfigFile {
  const given: Record<string, string> = {};
  const inline = new Map<string, unknown>();
  const faults: string[] = [];
  const warnings: string[] = [];
  const place = (path: readonly PropertyKey[]) => {
    // Of what is missing inside a value the line of the value is told.
    const known = path.findLastIndex((_, index) => lines.has(path.slice(0, index + 1).join('.')));
    const line = lines.get(path.slice(0, known + 1).join('.')) ?? 1;
    return [`${short}:${line}`, ...(path.length > 0 ? [path.join('.')] : [])].join(' ');
  };
  const refuse = (path: string, says: string) =>
    void faults.push(`${place(path === '' ? [] : path.split('.'))}: ${says}`);

  function section(path: string, value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return refuse(path, texts.noObject);
    }
    for (const [key, inner] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`;
      const row = BY_PATH.get(at);
      if (row) take(at, row, inner);
      else if (SECTIONS.has(at)) section(at, inner);
      else if (isSecret(key)) refuse(at, fill(texts.secret, { name: key }));
      else if (at !== SCHEMA_KEY) warnings.push(`${place(at.split('.'))}: ${unknown(path, key)}`);
    }
  }

  function take(path: string, [name, row]: Entry, value: unknown): void {
    if (row.form === 'document' && typeof value !== 'string') {
      inline.set(name, value);
      given[name] = short;
      return;
    }
    const read = AS_TEXT[row.form](value, name, directory);
    if ('fault' in read) refuse(path, read.fault);
    // An empty setting is none, as in the environment.
    else if (read.text !== '') given[name] = read.text;
  }

  section('', whole);
  return { given, inline, faults, warnings, has: (path) => lines.has(path), place };
}

type Text = { readonly text: string } | { readonly fault: string };

/** A value as the environment would have it, by the form of its setting. */
const AS_TEXT: Readonly<
  Record<Setting['form'], (value: unknown, name: string, directory: string) => Text>
> = {
  secret: (_value, name) => ({ fault: fill(texts.secret, { name }) }),
  json: (value) => ({ text: JSON.stringify(value) }),
  number: (value) =>
    typeof value === 'number' ? { text: String(value) } : { fault: texts.noNumber },
  switch: (value) =>
    typeof value === 'boolean' ? { text: value ? 'on' : 'off' } : { fault: texts.noSwitch },
  list: (value) => (isList(value) ? { text: value.join(',') } : { fault: texts.noList }),
  text: plainText,
  file: pathIn,
  document: pathIn,
};

function plainText(value: unknown, name: string): Text {
  if (typeof value !== 'string') return { fault: texts.noText };
  return hasPassword(value) ? { fault: fill(texts.password, { name }) } : { text: value };
}

function pathIn(value: unknown, name: string, directory: string): Text {
  const read = plainText(value, name);
  return 'text' in read && read.text !== '' ? { text: resolve(directory, read.text) } : read;
}

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(','));

/** An address may hold one before its host, and that of a database also behind it. */
function hasPassword(text: string): boolean {
  if (!URL.canParse(text)) {
    // With several hosts it is no URL.
    return /^[a-z]+:\/\/.*:.*@|^[a-z]+:\/\/.*[?&]password=/i.test(text);
  }
  const url = new URL(text);
  return url.password !== '' || url.searchParams.has('password');
}

const isSecret = (key: string) =>
  ROWS.some(([name, { form }]) => name === key && form === 'secret');

/** Returns the words for a key that is no setting, with what was probably meant. */
function unknown(path: string, key: string): string {
  const byName = ROWS.find(([name]) => name === key);
  const beside = ALLOWED.filter(
    (each) => each.slice(0, each.lastIndexOf('.') + 1) === prefix(path),
  );
  const names = [...new Set(beside.map((each) => each.slice(prefix(path).length)))];
  const near = nearest(key, names);
  const meant =
    byName?.[1].path ??
    ALLOWED.find((each) => each.endsWith(`.${key}`)) ??
    (near === null ? null : `${prefix(path)}${near}`);
  const more =
    meant === null
      ? fill(texts.allowed, { names: names.join(', ') })
      : fill(texts.guess, { path: meant });
  return `${texts.unknown} ${more}`;
}

const prefix = (path: string) => (path === '' ? '' : `${path}.`);
