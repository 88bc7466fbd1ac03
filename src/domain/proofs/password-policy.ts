/** The password rule (SUP-12): the checklist, the form and the server all read this one list. */

/** The fixed set of special characters (SRV-21). */
export const PASSWORD_SPECIALS = '!@#$%^&*()_-+={}[]|\\:;"\'<>,.?/~`';
export const PASSWORD_MIN_LENGTH = 8;
/** Code points: far above the 64 that must be accepted, low enough for cheap hashing. */
export const PASSWORD_MAX_LENGTH = 256;

export type PasswordRuleId = 'length' | 'uppercase' | 'alphanumeric' | 'special';

type PasswordRule = { readonly id: PasswordRuleId; readonly isMet: (password: string) => boolean };

const hasLower = (password: string) => /[a-z]/.test(password);
const hasUpper = (password: string) => /[A-Z]/.test(password);
const hasDigit = (password: string) => /\d/.test(password);
const hasSpecial = (password: string) => [...password].some((c) => PASSWORD_SPECIALS.includes(c));

/** In the order of the checklist. 'Alphanumeric' stands for a lowercase letter, an uppercase letter and a digit (SRV-21). */
export const PASSWORD_RULES: readonly PasswordRule[] = [
  { id: 'length', isMet: (password) => [...password].length >= PASSWORD_MIN_LENGTH },
  { id: 'uppercase', isMet: hasUpper },
  { id: 'alphanumeric', isMet: (p) => hasLower(p) && hasUpper(p) && hasDigit(p) },
  { id: 'special', isMet: hasSpecial },
];

/** Returns which rules a password meets, in checklist order. */
export function passwordChecklist(
  password: string,
): readonly { readonly id: PasswordRuleId; readonly isMet: boolean }[] {
  const inNfc = password.normalize();
  return PASSWORD_RULES.map(({ id, isMet }) => ({ id, isMet: isMet(inNfc) }));
}

/** Returns whether a password meets every rule. */
export function isPasswordAcceptable(password: string): boolean {
  const inNfc = password.normalize();
  return (
    [...inNfc].length <= PASSWORD_MAX_LENGTH && PASSWORD_RULES.every((rule) => rule.isMet(inNfc))
  );
}
