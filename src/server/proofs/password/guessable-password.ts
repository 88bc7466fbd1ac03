import { passwordGuesses, isMadeOf } from '#domain/proofs/password-guesses.ts';
import { NAMES, type PersonalData } from '../../accounts/account-store.ts';
import { loadCommonPasswords } from './common-passwords.ts';

/** The owner of a new password, and the subtenant. */
type Owner = PersonalData & { readonly subtenant_id: number };

/** Returns whether a new password is common, or made of known words about its owner (R4). */
export type IsGuessable = (password: string, owner: Owner) => Promise<boolean>;

const PRODUCT = 'Porchlight';

/** Creates the check for every new password of a person; existing ones are not checked (decision 090). */
export function createIsGuessable(
  subtenantOf: (id: number) => Promise<{ readonly name: string }>,
): IsGuessable {
  const isCommon = loadCommonPasswords();
  return async (password, owner) => {
    if (passwordGuesses(password).some(isCommon)) return true;
    const { name } = await subtenantOf(owner.subtenant_id);
    const { email, mobile } = owner;
    const names = NAMES.map((column) => owner[column]);
    // The last label of an address is part of many words.
    const address = email.replace(/\.[^.@]*$/, '');
    return isMadeOf(password, [PRODUCT, name, ...names, address, mobile]);
  };
}
