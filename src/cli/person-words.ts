import { extensionOf, isWholePhone } from '#domain/typed/phone.ts';
import { isRoleId, MEMBER_ROLE, type RoleId, ROLES } from '#domain/people/roles.ts';
import { DEFAULT_SUBTENANT_ID, parseSubtenantId } from '#domain/people/subtenants.ts';
import { isWrittenName } from '#domain/typed/written-name.ts';
import { EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import { fill } from '#locales/fill.ts';
import { readWholePhone } from '#server/accounts/phone-number.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { NewPerson } from '#server/administration/people.ts';
import type { PersonChange } from '#server/administration/set-person.ts';

type Options = {
  readonly phone?: string;
  readonly role?: readonly string[];
  readonly subtenant?: string;
};

/** Reads a new person from an operator's words. @throws OperatorError that names the fault */
export function readPerson(
  [typed = '', ...names]: readonly string[],
  { phone = '', role = [String(MEMBER_ROLE)], subtenant }: Options,
): NewPerson {
  const email = emailIn(typed);
  const [firstName = '', lastName = ''] = names.map((name) => name.trim());
  if (!isName(firstName) || !isName(lastName)) throw new OperatorError(texts.badName);
  if (phone !== '') checkPhone(phone);
  const roleIds = rolesIn(role);
  const subtenantId = subtenant === undefined ? DEFAULT_SUBTENANT_ID : subtenantIn(subtenant);
  return { email, firstName, lastName, phone, roleIds, subtenantId };
}

/** Reads the change of a person from an operator's words. @throws OperatorError that names the fault */
export function readPersonChange(words: {
  readonly first?: string;
  readonly last?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly subtenant?: string;
}): PersonChange {
  const { phone } = words;
  const email = words.email === undefined ? undefined : emailIn(words.email);
  const [firstName, lastName] = [words.first, words.last].map((name) => name?.trim());
  for (const name of [firstName, lastName]) {
    if (name !== undefined && !isName(name)) throw new OperatorError(texts.badName);
  }
  const number = phone === 'none' ? '' : phone;
  if (number) checkPhone(number);
  const subtenantId = words.subtenant === undefined ? undefined : subtenantIn(words.subtenant);
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(email !== undefined && { email }),
    ...(number !== undefined && { phone: number }),
    ...(subtenantId !== undefined && { subtenantId }),
  };
}

function emailIn(word: string): string {
  const email = EMAIL_RULE.normalize(word);
  if (!isEmail(email)) throw new OperatorError(fill(texts.badEmail, { email: word }));
  return email;
}

/** Refuses a word that is plainly no number, before anything is opened. */
function checkPhone(word: string): void {
  if (extensionOf(word)) throw new OperatorError(texts.phoneExtension);
  if (!isWholePhone(word)) throw new OperatorError(texts.badPhone);
}

/** Returns a person with the number as it is stored. @throws OperatorError */
export async function withNumber<Person extends { readonly phone?: string }>(
  person: Person,
): Promise<Person> {
  if (!person.phone) return person;
  const phone = await readWholePhone(person.phone);
  if (phone === null) throw new OperatorError(texts.badPhone);
  return { ...person, phone };
}

/** @throws OperatorError */
export function subtenantIn(word: string): number {
  const id = parseSubtenantId(word);
  if (id === null) throw new OperatorError(fill(texts.noSubtenant, { id: word }));
  return id;
}

const isName = (text: string) => isWrittenName(text) && text.length <= 100;

const ROLE_IDS = Object.keys(ROLES).map(Number).filter(isRoleId);
/** Reads `event-counter` and `Event Counter` alike. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

/** Returns roles as people read them: `3 Staff, 4 Admin`. */
export const namesOf = (roleIds: readonly RoleId[]) =>
  roleIds.map((id) => `${id} ${ROLES[id].key}`).join(', ');

/** Returns the roles that numbers or names mean. @throws OperatorError that lists the roles */
export function rolesIn(words: readonly string[] = []): readonly RoleId[] {
  return words.map((role) => {
    const id = ROLE_IDS.find(
      (each) => each === Number(role) || plain(ROLES[each].key) === plain(role),
    );
    if (id !== undefined) return id;
    throw new OperatorError(fill(texts.badRole, { role, roles: namesOf(ROLE_IDS) }));
  });
}
