import { phoneExtension, isWholePhone } from '#domain/typed/phone.ts';
import { MEMBER_ROLE, ROLE_IDS, type RoleId, roleName, ROLES } from '#domain/people/roles.ts';
import { DEFAULT_SUBTENANT_ID, parseSubtenantId } from '#domain/people/subtenants.ts';
import { isWrittenName } from '#domain/typed/written-name.ts';
import { EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import { fill } from '#locales/fill.ts';
import { readWholePhone } from '#server/accounts/phone-number.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { NewPerson } from '#server/people/people.ts';
import type { PersonChange } from '#server/people/set-person.ts';
import type { CommandOf } from './command.ts';

type Options = Pick<Parameters<CommandOf<'user'>['add']>[1], 'phone' | 'role' | 'subtenant'>;

/** Reads a new person from an operator's words. @throws OperatorError that names the fault */
export function readPerson(
  [typed = '', ...names]: readonly string[],
  { phone = '', role = [String(MEMBER_ROLE)], subtenant }: Options,
): NewPerson {
  const [first = '', last = ''] = names;
  return {
    email: emailIn(typed),
    firstName: nameIn(first),
    lastName: nameIn(last),
    phone: phone === '' ? '' : phoneIn(phone),
    roleIds: rolesIn(role),
    subtenantId: subtenant === undefined ? DEFAULT_SUBTENANT_ID : subtenantIn(subtenant),
  };
}

type Change = Parameters<CommandOf<'user'>['set']>[1];

/** Reads the change of a person from an operator's words. @throws OperatorError that names the fault */
export const readPersonChange = ({
  first,
  last,
  email,
  phone,
  subtenant,
}: Change): PersonChange => ({
  ...(email !== undefined && { email: emailIn(email) }),
  ...(first !== undefined && { firstName: nameIn(first) }),
  ...(last !== undefined && { lastName: nameIn(last) }),
  ...(phone !== undefined && { phone: phone === 'none' || phone === '' ? '' : phoneIn(phone) }),
  ...(subtenant !== undefined && { subtenantId: subtenantIn(subtenant) }),
});

function nameIn(word: string): string {
  const name = word.trim();
  if (!isWrittenName(name) || name.length > 100) throw new OperatorError(texts.badName);
  return name;
}

function emailIn(word: string): string {
  const email = EMAIL_RULE.normalize(word);
  if (!isEmail(email)) throw new OperatorError(fill(texts.badEmail, { email: word }));
  return email;
}

/** Refuses a word that is plainly no number, before anything is opened. */
function phoneIn(word: string): string {
  if (phoneExtension(word)) throw new OperatorError(texts.phoneExtension);
  if (!isWholePhone(word)) throw new OperatorError(texts.badPhone);
  return word;
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

/** Reads `event-counter` and `Event Counter` alike. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

/** Returns roles as people read them: `3 Staff, 4 Admin`. */
export const rolesText = (roleIds: readonly RoleId[]) => roleIds.map(roleName).join(', ');

/** Returns the roles that numbers or names mean. @throws OperatorError that lists the roles */
export function rolesIn(words: readonly string[] = []): readonly RoleId[] {
  return words.map((role) => {
    const id = ROLE_IDS.find(
      (each) => each === Number(role) || plain(ROLES[each].key) === plain(role),
    );
    if (id !== undefined) return id;
    throw new OperatorError(fill(texts.badRole, { role, roles: rolesText(ROLE_IDS) }));
  });
}
