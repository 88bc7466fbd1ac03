import { phoneExtension, isWholePhone } from '#domain/typed/phone.ts';
import { isRoleId, type RoleId, ROLES } from '#domain/people/roles.ts';
import { isPlainlyWritten } from '#domain/typed/written-name.ts';
import { EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import type { importCommand } from '#locales/operator/import-command.ts';
import type { ReadPhone } from '#server/accounts/phone-number.ts';
import type { NewPerson } from '#server/people/people.ts';
import type { KnownHash } from '#server/proofs/password/hash-formats.ts';
import type { Person } from './sources.ts';

export type Fault = keyof typeof importCommand.faults;

/** The fault of a row, and its column; `value` is empty where it may be a secret. */
export type RowFault = { readonly reason: Fault; readonly column: string; readonly value: string };

export type Ready = NewPerson & {
  readonly line: number;
  readonly isProven: boolean;
  readonly isSuspended: boolean;
  readonly hash: KnownHash | null;
  readonly externalId: string | null;
  /** What the person is taken without. */
  readonly leftOut: readonly RowFault[];
};

const EXTERNAL_ID = /^[^\p{C}]{1,255}$/u;

/** A list may lack a name. */
const isName = (text: string) => isPlainlyWritten(text) && text.length <= 100;

/** Where columns are mixed up, a hash may stand in any of them: a word of this length is not repeated. */
const MAY_BE_SECRET = /[^\s@]{32}/;

/** Returns a fault with the value that shows it, on one line. */
export function rowFault(reason: Fault, column = '', value = ''): RowFault {
  const isShown = !MAY_BE_SECRET.test(value);
  return { reason, column, value: isShown ? value.replaceAll(/\p{C}/gu, '?') : '' };
}

/** Checks a row without reading any account. */
export function check(
  line: number,
  person: Person,
  subtenants: ReadonlyMap<string, number>,
  options: ImportOptions,
): Ready | RowFault {
  const { externalId, isProven, isSuspended, hash } = person;
  const contact = personContact(person, options);
  if ('reason' in contact) return contact;
  const place = personPlace(person, subtenants, options);
  if ('reason' in place) return place;
  if (isProven === null) return rowFault('badFlag', 'email_verified');
  if (isSuspended === null) return rowFault('badFlag', 'suspended');
  if (externalId !== '' && !EXTERNAL_ID.test(externalId)) {
    return rowFault('badExternalId', 'external_id');
  }
  const leftOut = [...contact.leftOut];
  if (typeof hash === 'string') {
    const fault = rowFault(hash, 'password_hash', person.hashKind);
    if (!options.withoutUnknownHashes) return fault;
    leftOut.push(fault);
  }
  return {
    line,
    ...contact,
    ...place,
    isProven,
    isSuspended,
    hash: options.keepsHashes && typeof hash !== 'string' ? hash : null,
    externalId: externalId === '' ? null : externalId,
    leftOut,
  };
}

type Contact = Pick<Ready, 'email' | 'firstName' | 'lastName' | 'phone' | 'leftOut'>;

/** Returns a person's address, name and number. */
function personContact(person: Person, options: ImportOptions): Contact | RowFault {
  const email = EMAIL_RULE.normalize(person.email);
  if (!isEmail(email)) return rowFault('badEmail', 'email', email);
  const [firstName, lastName] = [person.firstName.trim(), person.lastName.trim()];
  if (!isName(firstName)) return rowFault('badName', 'first_name', firstName);
  if (!isName(lastName)) return rowFault('badName', 'last_name', lastName);
  const phone = readNumber(person.phone, options);
  if (typeof phone === 'string') return { email, firstName, lastName, phone, leftOut: [] };
  const fault = rowFault(phone.fault, 'phone', person.phone);
  if (!options.withoutBadNumbers) return fault;
  return { email, firstName, lastName, phone: '', leftOut: [fault] };
}

/** Returns the roles and the subtenant that a person gets. */
function personPlace(
  person: Person,
  subtenants: ReadonlyMap<string, number>,
  options: ImportOptions,
): Pick<Ready, 'roleIds' | 'subtenantId'> | RowFault {
  const unknown = person.roles.filter((role) => roleOf(role) === null);
  if (unknown.length > 0) return rowFault('unknownRole', 'roles', unknown.join(', '));
  const known = person.roles.map(roleOf).filter((id) => id !== null);
  const named = person.subtenant.toLowerCase();
  const subtenantId = subtenants.get(named === '' ? String(options.subtenantId) : named);
  if (subtenantId === undefined) {
    return rowFault('unknownSubtenant', 'subtenant', person.subtenant);
  }
  return { roleIds: known.length > 0 ? [...new Set(known)] : options.roleIds, subtenantId };
}

/** A number of more than eleven digits in a spreadsheet: 2.12556E+09, with a comma in other languages. */
const ROUNDED = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;

/** Returns a number as it is stored, '' for none, or what is wrong with it. */
function readNumber(
  typed: string,
  { dialCode, readPhone }: ImportOptions,
): string | { readonly fault: Fault } {
  const text = typed.trim();
  if (text === '') return '';
  if (ROUNDED.test(text)) return { fault: 'roundedPhone' };
  const number = readPhone(dialCode, text);
  if (number) return number.dial_code + number.mobile;
  if (phoneExtension(text)) return { fault: 'phoneExtension' };
  const isNational = dialCode === '' && !isWholePhone(text);
  return { fault: isNational ? 'badPhone' : 'impossiblePhone' };
}

/** A role by its number or its name on screen. */
function roleOf(word: string): RoleId | null {
  const id = Number(word);
  if (isRoleId(id)) return id;
  const named = Object.entries(ROLES).find(
    ([, { key }]) => key.toLowerCase() === word.toLowerCase(),
  );
  const namedId = Number(named?.[0]);
  return isRoleId(namedId) ? namedId : null;
}

export type ImportOptions = {
  readonly isDryRun: boolean;
  /** Whether an address that was proven there counts as proven here. */
  readonly trustsProof: boolean;
  /** `false` where an Auth0 tenant keeps the passwords. */
  readonly keepsHashes: boolean;
  readonly readPhone: ReadPhone;
  /** Of numbers without one; '' where the operator named no country. */
  readonly dialCode: string;
  /** A person is taken without a number that is wrong, or a hash that is refused. */
  readonly withoutBadNumbers: boolean;
  readonly withoutUnknownHashes: boolean;
  /** Of rows that name none. */
  readonly roleIds: readonly RoleId[];
  readonly subtenantId: number;
  readonly toPerson: (value: Readonly<Record<string, unknown>>) => Person;
  readonly isFieldKnown: (name: string) => boolean;
  /** The SHA-256 of the file, in hex; of a stream, that of the bytes read so far. */
  readonly fileHash: () => string;
  /** Told after each batch. */
  readonly onProgress: (rows: number) => void;
};
