import { type RoleId, roleOf } from '#domain/people/roles.ts';
import type { Login } from '#domain/flow/visit.ts';
import { type ActiveAccount, shownNameOf } from '../accounts/account-store.ts';
import type { SignInAttempt } from './sign-in-attempts.ts';

/** The person of a sign-in, and the factors. */
export type SignedIn = {
  readonly signInId: string;
  readonly appState: string;
  readonly userId: number;
  readonly userName: string;
  readonly memberName: string;
  /** The language that the person chose, such as "es"; `null`: none. */
  readonly language: string | null;
  readonly subtenantId: number;
  readonly roles: readonly { readonly roleId: RoleId; readonly roleKey: string }[];
  /** The person asked for the end of the account, and may still keep it. */
  readonly isClosing: boolean;
  readonly amr: readonly string[];
  readonly authTime: Date;
};

/** Returns the person of an attempt. */
export function toSignedIn(attempt: SignInAttempt, account: ActiveAccount): SignedIn {
  return {
    signInId: attempt.id,
    appState: attempt.app_state,
    userId: account.id,
    userName: account.email,
    memberName: shownNameOf(account),
    language: account.language,
    subtenantId: account.subtenant_id,
    roles: account.roleIds.map((roleId) => ({ roleId, roleKey: roleOf(roleId).key })),
    isClosing: account.closing_at !== null,
    amr: attempt.amr,
    authTime: attempt.verified_at ?? attempt.created_at,
  };
}

/** Returns the sign-in in the contract's words. */
export function toLogin(signedIn: SignedIn): Login {
  const { appState, userId, signInId, userName, memberName, roles } = signedIn;
  return { appState, loggedInUserId: userId, signInId, userName, memberName, roles };
}
