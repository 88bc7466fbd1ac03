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
type Name = keyof ScimPerson;
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
const KEPT: readonly Name[] = ['active', 'userName', 'externalId'];
/** Names of attributes are compared without case (RFC 7643, 2.1). */
const SIMPLE: Readonly<Record<string, Name>> = {
  username: 'userName',
  externalid: 'externalId',
  active: 'active',
  roles: 'roles',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
  emails: 'email',
  'emails.value': 'email',
};
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
  if (typeof value !== 'string' || value.length > LONGEST || /\p{Cc}/u.test(value)) {
    throw invalid(`${name} must be one plain line of at most ${LONGEST} characters.`);
  }
  return value.trim();
}

/** Entra sends "True" and "False" as texts. */
function flagIn(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false') throw invalid('active must be true or false.');
  return text === 'true';
}

/** Returns the work address, or the primary one, of a list; a text is the address itself. */
function emailIn(value: unknown): string {
  if (!Array.isArray(value)) return textIn('emails', isObject(value) ? value.value : value);
  const all = value.filter(isObject);
  const own =
    all.find(({ type }) => type === 'work') ?? all.find(({ primary }) => primary === true);
  return own || all[0] ? textIn('emails', (own ?? all[0])?.value) : '';
}

/** Returns the values of roles: texts, objects with a value, or Entra's JSON in a value. */
function rolesIn(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.map((each) => textIn('roles', isObject(each) ? each.value : each));
}

const READERS: { readonly [Key in Name]: (value: unknown) => ScimPerson[Key] } = {
  userName: (value) => textIn('userName', value),
  email: emailIn,
  externalId: (value) => textIn('externalId', value),
  givenName: (value) => textIn('name.givenName', value),
  familyName: (value) => textIn('name.familyName', value),
  active: flagIn,
  roles: rolesIn,
};

/** One thing that a directory changes; `value` is null where it names none. */
type Change = { readonly op: Op; readonly name: Name; readonly value: unknown };

/** Returns our name of a path; `null` for one that is not kept here: directories map more than an application has. */
function nameOf(path: string): Name | null {
  const plain = path.replace(CORE, '');
  const [, of = ''] = SELECTED.exec(plain) ?? [];
  return SIMPLE[(of || plain).toLowerCase()] ?? null;
}

/** Returns what a body of attributes changes; objects are opened. @throws ScimError for a body that is no object */
const changesOf = (op: Op, body: unknown, within = ''): readonly Change[] =>
  Object.entries(objectIn(body)).flatMap(([key, value]) =>
    key.toLowerCase() === 'name' && isObject(value)
      ? changesOf(op, value, 'name.')
      : changeAt(op, within + key, value),
  );

function changeAt(op: Op, path: string, value: unknown): readonly Change[] {
  const name = nameOf(path);
  return name === null ? [] : [{ op, name, value }];
}

function applied(person: ScimPerson, { op, name, value }: Change): ScimPerson {
  if (op === 'remove' && KEPT.includes(name)) {
    throw invalid(`${name} cannot be removed.`, 'mutability');
  }
  if (name !== 'roles') {
    const isNone = op === 'remove' || value === null;
    return { ...person, [name]: isNone ? NOBODY[name] : READERS[name](value) };
  }
  const named = value === null ? [] : rolesIn(value);
  const kept =
    op === 'add' || (op === 'remove' && value !== null)
      ? person.roles.filter((each) => !named.includes(each))
      : [];
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
  return changeAt(op, path, value ?? selected ?? null);
}

/** A filter that finds one person. */
export type ScimFilter = { readonly by: 'userName' | 'externalId' | 'id'; readonly value: string };

/** Reads a filter. @throws ScimError for anything but `eq` on these three */
export function readFilter(asked: unknown): ScimFilter {
  const text = typeof asked === 'string' ? asked : '';
  const [, attribute = '', quoted = ''] =
    /^\s*(?:urn:ietf:params:scim:schemas:core:2\.0:User:)?(userName|externalId|id)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(
      text,
    ) ?? [];
  const by = (['userName', 'externalId', 'id'] as const).find(
    (each) => each.toLowerCase() === attribute.toLowerCase(),
  );
  if (!by)
    throw invalid('A filter is userName, externalId or id, eq, and a text.', 'invalidFilter');
  try {
    return { by, value: JSON.parse(quoted) as string };
  } catch {
    throw invalid('The text of the filter is no JSON.', 'invalidFilter');
  }
}
