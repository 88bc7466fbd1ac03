import { guessesOf, isMadeOf } from '#domain/password-guesses.ts';
import type { PersonalData } from '../accounts/account-store.ts';
import { loadCommonPasswords } from './common-passwords.ts';

/** Whose password it is to be, and in which subtenant. */
type Owner = PersonalData & { readonly subtenant_id: number };

/** Whether a new password is common, or made of words that everybody knows of its owner (R4). */
export type IsGuessable = (password: string, owner: Owner) => Promise<boolean>;

const PRODUCT = 'Porchlight';

/** Asked for every new password that a person types, and for no old one (decision 090). */
export function createIsGuessable(
  subtenantOf: (id: number) => Promise<{ readonly name: string }>,
): IsGuessable {
  const isCommon = loadCommonPasswords();
  return async (password, owner) => {
    if (guessesOf(password).some(isCommon)) return true;
    const { name } = await subtenantOf(owner.subtenant_id);
    const { first_name: first, last_name: last, email, mobile } = owner;
    // The last label of an address is in many words.
    const address = email.replace(/\.[^.@]*$/, '');
    return isMadeOf(password, [PRODUCT, name, first, last, address, mobile]);
  };
}
