import {
  fromBase64,
  type HashFault,
  type KnownHash,
  parseHash,
  pbkdf2Hash,
  scryptHash,
} from '#server/proofs/password/hash-formats.ts';
import { hashKind } from '#server/proofs/password/hash-kinds.ts';

/* The column names of each system's files. Only the hash is checked here. */

export const FORMATS = ['csv', 'ndjson', 'auth0', 'keycloak', 'cognito', 'firebase'] as const;
export type Format = (typeof FORMATS)[number];

/** Texts as they stand in the file; '' where it has none. */
export type Person = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly roles: readonly string[];
  /** Roles of the other system that mean nothing here. */
  readonly rolesLeftOut: readonly string[];
  readonly subtenant: string;
  readonly isProven: boolean | null;
  readonly isSuspended: boolean | null;
  readonly hash: KnownHash | HashFault | null;
  /** The name of the hash's kind; '' for none. */
  readonly hashKind: string;
  readonly externalId: string;
};

type Values = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of our own formats, however they are written: first_name, firstName, "First name". */
export const OWN_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'phone',
  'roles',
  'subtenant',
  'email_verified',
  'suspended',
  'password_hash',
  'external_id',
] as const;
type OwnField = (typeof OWN_FIELDS)[number];

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** What Amazon Cognito and people's own tables call these fields. */
const OTHER_NAMES: Readonly<Record<string, OwnField>> = {
  emailaddress: 'email',
  givenname: 'first_name',
  familyname: 'last_name',
  phonenumber: 'phone',
  'cognito:username': 'external_id',
};

/** Which of our fields a name means. */
export const ownField = (name: string): OwnField | undefined =>
  OWN_FIELDS.find((field) => plain(field) === plain(name)) ?? OTHER_NAMES[plain(name)];

/** Columns that mean nothing here: of Cognito's file, and of our own lists and survey. */
const LEFT_OUT =
  'middlename nickname preferredusername profile picture website gender birthdate zoneinfo locale phonenumberverified address updatedat cognito:mfaenabled received answeredat accountid accountstatus subtenantid subjectid responseid answer text'.split(
    ' ',
  );

/** Returns whether the import leaves a column out, and says so. `name` is split where a file has no other. */
export const isLeftOut = (name: string): boolean => LEFT_OUT.includes(plain(name));
export const isFullName = (name: string): boolean => plain(name) === 'name';

/** A row of CSV, or a line of NDJSON. */
export function ofOwn(values: Values): Person {
  const own: Partial<Record<OwnField, unknown>> = {};
  let full = '';
  for (const [name, value] of Object.entries(values)) {
    const field = ownField(name);
    // Of two columns of one meaning the first that has a value.
    if (field && (own[field] ?? '') === '') own[field] = value;
    if (isFullName(name)) full = text(value);
  }
  const hash = text(own.password_hash);
  const [first, rest] = nameParts(full);
  return {
    email: text(own.email),
    firstName: text(own.first_name) || first,
    lastName: text(own.last_name) || rest,
    phone: text(own.phone),
    roles: list(own.roles),
    rolesLeftOut: [],
    subtenant: text(own.subtenant),
    isProven: flag(own.email_verified),
    isSuspended: flag(own.suspended),
    hash: hash === '' ? null : parseHash(hash),
    hashKind: hash === '' ? '' : hashKind(hash),
    externalId: text(own.external_id),
  };
}

function nameParts(full: string): readonly [first: string, rest: string] {
  const [first = '', ...rest] = full.split(/\s+/);
  return [first, rest.join(' ')];
}

/** The columns of `firebase auth:export` as CSV, which has no first line of names; its JSON has the same names. */
export const FIREBASE_COLUMNS: readonly string[] = [
  'localId email emailVerified passwordHash salt displayName photoUrl',
  ...['google', 'facebook', 'twitter', 'github'].map((name) =>
    ['id', 'email', 'displayName', 'photoUrl'].map((part) => `${name}.${part}`).join(' '),
  ),
  'createdAt lastSignedInAt phoneNumber disabled customAttributes',
].flatMap((names) => names.split(' '));

/** A user of Firebase; its hashes need a key that stays there. */
export function ofFirebase(user: Values): Person {
  const own = unpacked(user.customAttributes);
  const [firstName, lastName] = nameParts(text(user.displayName));
  const isHashed = text(user.passwordHash) !== '';
  return {
    email: text(user.email),
    firstName,
    lastName,
    phone: text(user.phoneNumber),
    roles: list(own.roles),
    rolesLeftOut: [],
    subtenant: text(own.subtenant),
    isProven: flag(user.emailVerified),
    isSuspended: flag(user.disabled),
    hash: isHashed ? 'unknownHash' : null,
    hashKind: isHashed ? 'Firebase scrypt' : '',
    externalId: text(user.localId),
  };
}

/** A user of Auth0: of an export job, or of the file with hashes that its support sends. */
export function ofAuth0(user: Values): Person {
  const metadata = part(user.app_metadata);
  const full = text(user.name);
  // Auth0 fills a missing `name` with the address.
  const [first, rest] = nameParts(full === text(user.email) ? '' : full);
  const id = text(part(user._id).$oid);
  return {
    email: text(user.email),
    firstName: text(user.given_name) || first,
    lastName: text(user.family_name) || rest,
    phone: text(user.phone_number),
    roles: list(metadata.roles),
    rolesLeftOut: [],
    subtenant: text(metadata.subtenant),
    isProven: flag(user.email_verified),
    isSuspended: flag(user.blocked),
    hash: auth0Hash(user),
    hashKind:
      algorithmName(part(user.custom_password_hash).algorithm) ||
      hashKind(text(user.passwordHash) || text(user.password_hash)),
    externalId: text(user.user_id) || (id && `auth0|${id}`),
  };
}

/** Auth0 exports `passwordHash`, and imports `password_hash` and `custom_password_hash`. */
function auth0Hash(user: Values): Person['hash'] {
  const bcrypt = text(user.passwordHash) || text(user.password_hash);
  if (bcrypt !== '') return parseHash(bcrypt);
  if (user.custom_password_hash === undefined || user.custom_password_hash === null) return null;
  const custom = part(user.custom_password_hash);
  const key = encoded(part(custom.hash));
  if (!key) return 'unknownHash';
  const algorithm = text(custom.algorithm);
  if (algorithm === 'scrypt') {
    const salt = encoded(part(custom.salt));
    if (!salt) return 'unknownHash';
    const { cost = 16_384, blockSize = 8, parallelization = 1, keylen = key.length } = custom;
    if (Number(keylen) !== key.length) return 'unknownHash';
    return scryptHash({
      cost: Number(cost),
      blockSize: Number(blockSize),
      parallelization: Number(parallelization),
      salt,
      key,
    });
  }
  // These have their salt in the text; a separate salt would be an unknown scheme.
  const isText = ['argon2', 'bcrypt', 'pbkdf2'].includes(algorithm) && !custom.salt;
  return isText ? parseHash(key.toString('utf8')) : 'unknownHash';
}

function encoded({ value, encoding = 'utf8' }: Values): Buffer | null {
  if (typeof value !== 'string' || value === '') return null;
  if (encoding === 'utf8') return Buffer.from(value);
  if (encoding === 'hex')
    return /^(?:[\da-f]{2})+$/i.test(value) ? Buffer.from(value, 'hex') : null;
  return encoding === 'base64' ? fromBase64(value) : null;
}

/** Roles that every Keycloak realm has by itself. */
const KEYCLOAK_ROLE = /^(?:default-roles-.*|offline_access|uma_authorization)$/;

/** A user of a realm that Keycloak exported. */
export function ofKeycloak(user: Values): Person {
  const attributes = part(user.attributes);
  const roles = list(user.realmRoles);
  const attribute = (...names: readonly string[]) =>
    names.map((name) => text(list(attributes[name])[0])).find((found) => found !== '') ?? '';
  return {
    email: text(user.email),
    firstName: text(user.firstName),
    lastName: text(user.lastName),
    phone: attribute('phone', 'phoneNumber', 'phone_number'),
    roles: roles.filter((role) => !KEYCLOAK_ROLE.test(role)),
    rolesLeftOut: roles.filter((role) => KEYCLOAK_ROLE.test(role)),
    subtenant: attribute('subtenant'),
    isProven: flag(user.emailVerified),
    isSuspended: negated(flag(user.enabled ?? true)),
    hash: keycloakHash(passwordOf(user.credentials)),
    hashKind: algorithmName(unpacked(passwordOf(user.credentials)?.credentialData).algorithm),
    externalId: text(user.id),
  };
}

function passwordOf(credentials: unknown): Values | null {
  const all: readonly unknown[] = Array.isArray(credentials) ? credentials : [];
  return all.filter(isObject).find(({ type }) => type === 'password') ?? null;
}

/** The name of an algorithm, and nothing that may be part of a hash. */
const algorithmName = (value: unknown) => /^[a-z][\w-]{0,29}$/i.exec(text(value))?.[0] ?? '';

function keycloakHash(credential: Values | null): Person['hash'] {
  if (!credential) return null;
  const secret = unpacked(credential.secretData);
  const data = unpacked(credential.credentialData);
  const value = text(secret.value);
  const [salt, key] = [fromBase64(text(secret.salt)), fromBase64(value)];
  const rounds = Number(data.hashIterations);
  const algorithm = text(data.algorithm);
  if (value === '') return 'unknownHash';
  // Of an extension that writes the whole hash into its value.
  if (value.startsWith('$')) return parseHash(value);
  if (!salt || !key) return 'unknownHash';
  if (algorithm === 'argon2') {
    const parameters = part(data.additionalParameters);
    const one = (name: string) => list(parameters[name])[0] ?? '';
    const version = one('version') === '1.0' ? 16 : 19;
    const costs = `m=${one('memory')},t=${rounds},p=${one('parallelism')}`;
    const [saltText, keyText] = [salt, key].map((b) => b.toString('base64').replace(/=+$/, ''));
    return parseHash(`$argon2${one('type')}$v=${version}$${costs}$${saltText}$${keyText}`);
  }
  const [, digest = 'sha1'] = /^pbkdf2(?:-(sha1|sha256|sha512))?$/.exec(algorithm) ?? [null, ''];
  const isKnown = digest === 'sha1' || digest === 'sha256' || digest === 'sha512';
  return isKnown ? pbkdf2Hash({ digest, rounds, salt, key }) : 'unknownHash';
}

/** Keycloak writes JSON into a text. */
function unpacked(value: unknown): Values {
  if (typeof value !== 'string') return part(value);
  try {
    return part(JSON.parse(value));
  } catch {
    return {};
  }
}

const part = (value: unknown): Values => (isObject(value) ? value : {});

function text(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}

/** A list, or a text with commas, semicolons or bars between. */
function list(value: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(value) ? value : text(value).split(/[,;|]/);
  return parts.map(text).filter((found) => found !== '');
}

/** What spreadsheets write in English, Spanish, German and French. */
const YES = ['true', 'yes', '1', 'verdadero', 'sí', 'si', 'wahr', 'ja', 'vrai', 'oui'];
const NO = ['false', 'no', '0', '', 'falso', 'falsch', 'nein', 'faux', 'non'];

/** Returns `null` for a value that is neither yes nor no. */
function flag(value: unknown): boolean | null {
  if (value === undefined || value === null) return false;
  const word = typeof value === 'boolean' ? String(value) : text(value).toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) && !isObject(value) ? false : null;
}

const negated = (value: boolean | null) => (value === null ? null : !value);
