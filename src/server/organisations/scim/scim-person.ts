/** What a directory says about a person: bodies of RFC 7643 and 7644, as Entra and Okta send them. */

import { invalid } from './scim-error.ts';

/** A person as the directory has it. `email` is the address that `emails` names, where `userName` is none. */
export type ScimPerson = {
  readonly userName: string;
  readonly email: string;
  readonly externalId: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly active: boolean;
  readonly roles: readonly string[];
};

type Given = Readonly<Record<string, unknown>>;
type Op = 'add' | 'replace' | 'remove';

const NOBODY: ScimPerson = {
  userName: '',
  email: '',
  externalId: '',
  givenName: '',
  familyName: '',
  active: true,
  roles: [],
};

const LONGEST = 256;
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:user:/i;
/** Entra's selectors: the address of one kind, the role that is the primary one. */
const SELECTED = /^(emails|roles)\[[^\]]*\](\.\w+)?$/i;

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a body. @throws ScimError for one that is no object */
function objectIn(body: unknown): Given {
  if (!isObject(body)) throw invalid('The body must be a JSON object.');
  return body;
}

function textIn(name: string, value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string' || value.length > LONGEST || /\p{Cc}/u.test(value)) {
    throw invalid(`${name} must be one plain line of at most ${LONGEST} characters.`);
  }
  return value.trim();
}

/** Entra sends "True" and "False" as texts. */
function flagIn(value: unknown): boolean {
  const flag = typeof value === 'string' ? value.toLowerCase() : (value ?? true);
  if (flag === true || flag === 'true') return true;
  if (flag === false || flag === 'false') return false;
  throw invalid('active must be true or false.');
}

/** Returns the work address, or the primary one, of a list; a text is the address itself. */
function emailIn(value: unknown): string {
  if (!Array.isArray(value)) return textIn('emails', isObject(value) ? value.value : value);
  const all = value.filter(isObject);
  const own =
    all.find(({ type }) => type === 'work') ?? all.find(({ primary }) => primary === true);
  return textIn('emails', (own ?? all[0] ?? { value: null }).value);
}

/** Returns the values of roles: texts, objects with a value, or Entra's JSON in a value. */
function rolesIn(value: unknown): readonly string[] {
  if (value === null) return [];
  const all = Array.isArray(value) ? value : [value];
  return all.map((each) => textIn('roles', isObject(each) ? each.value : each));
}

/** How the value of a path is read; `null` is none. Directories map more paths than an application keeps. */
const READERS = new Map<string, (value: unknown) => Partial<ScimPerson>>([
  ['username', (value) => ({ userName: textIn('userName', value) })],
  ['externalid', (value) => ({ externalId: textIn('externalId', value) })],
  ['name.givenname', (value) => ({ givenName: textIn('name.givenName', value) })],
  ['name.familyname', (value) => ({ familyName: textIn('name.familyName', value) })],
  ['emails', (value) => ({ email: emailIn(value) })],
  ['emails.value', (value) => ({ email: emailIn(value) })],
  ['active', (value) => ({ active: flagIn(value) })],
]);
const KEPT = ['active', 'username', 'externalid'];

/** One thing that a directory changes; `value` is null where it names none. */
type Change = { readonly op: Op; readonly path: string; readonly value: unknown };

/** Names of attributes are compared without case (RFC 7643, 2.1). */
function plainPath(path: string): string {
  const plain = path.replace(CORE, '');
  return (SELECTED.exec(plain)?.[1] ?? plain).toLowerCase();
}

/** Returns what a body of attributes changes; objects are opened. @throws ScimError for a body that is no object */
const changesOf = (op: Op, body: unknown, within = ''): readonly Change[] =>
  Object.entries(objectIn(body)).flatMap(([key, value]) =>
    key.toLowerCase() === 'name' && isObject(value)
      ? changesOf(op, value, 'name.')
      : { op, path: plainPath(within + key), value },
  );

function applied(person: ScimPerson, { op, path, value }: Change): ScimPerson {
  if (op === 'remove' && KEPT.includes(path)) {
    throw invalid(`${path} cannot be removed.`, 'mutability');
  }
  if (path !== 'roles') {
    return { ...person, ...READERS.get(path)?.(op === 'remove' ? null : value) };
  }
  const named = rolesIn(value);
  const isWhole = op === 'replace' || (op === 'remove' && value === null);
  const kept = isWhole ? [] : person.roles.filter((each) => !named.includes(each));
  return { ...person, roles: op === 'remove' ? kept : [...kept, ...new Set(named)] };
}

/** Returns the person of a POST. @throws ScimError */
export const readPerson = (body: unknown): ScimPerson => replaced(NOBODY, body);

/** Returns a person after a PUT: what it does not name stays, for Okta leaves out what it does not map. @throws ScimError */
export const replaced = (person: ScimPerson, body: unknown): ScimPerson =>
  changesOf('replace', body).reduce(applied, person);

/** Returns a person after a PATCH: a PatchOp of RFC 7644, 3.5.2, in Entra's spelling, too. @throws ScimError */
export function patched(person: ScimPerson, body: unknown): ScimPerson {
  const named = Object.entries(objectIn(body)).find(([key]) => key.toLowerCase() === 'operations');
  const operations: unknown = named?.[1];
  if (!Array.isArray(operations) || operations.length > 100) {
    throw invalid('Operations must be a list of at most 100.');
  }
  return operations.flatMap(changesOfOperation).reduce(applied, person);
}

function changesOfOperation(operation: unknown): readonly Change[] {
  const { op: asked, path, value } = objectIn(operation);
  const op = (['add', 'replace', 'remove'] as const).find(
    (each) => each === String(asked).toLowerCase(),
  );
  if (!op) throw invalid('op must be add, replace or remove.');
  if (path === undefined && op !== 'remove') return changesOf(op, value);
  if (typeof path !== 'string') throw invalid('The path is missing.', 'invalidPath');
  const selected = op === 'remove' ? /\[value eq "([^"]*)"\]/i.exec(path)?.[1] : undefined;
  return [{ op, path: plainPath(path), value: value ?? selected ?? null }];
}

/** A filter that finds one person. `by`: `username`, `externalid` or `id`. */
export type ScimFilter = { readonly by: string; readonly value: string };

const FILTER =
  /^\s*(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?(userName|externalId|id)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** Reads a filter. @throws ScimError for anything but `eq` on these three */
export function readFilter(asked: unknown): ScimFilter {
  const [, by, quoted = ''] = FILTER.exec(String(asked)) ?? [];
  if (by === undefined)
    throw invalid('A filter is userName, externalId or id, eq, and a text.', 'invalidFilter');
  try {
    return { by: by.toLowerCase(), value: JSON.parse(quoted) as string };
  } catch {
    throw invalid('The text of the filter is no JSON.', 'invalidFilter');
  }
}
