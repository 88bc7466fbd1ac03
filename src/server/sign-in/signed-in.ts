import { roleOf } from '#domain/people/roles.ts';
import type { Login } from '#domain/flow/visit.ts';
import { type ActiveAccount, shownNameOf } from '../accounts/account-store.ts';
import type { SignInAttempt } from './sign-in-attempts.ts';

export type SignedIn = Readonly<ReturnType<typeof toSignedIn>>;

/** Returns the person of an attempt, and the factors. */
export function toSignedIn(attempt: SignInAttempt, account: ActiveAccount) {
  return {
    signInId: attempt.id,
    appState: attempt.app_state,
    userId: account.id,
    userName: account.email,
    memberName: shownNameOf(account),
    /** The language that the person chose, such as "es"; `null`: none. */
    language: account.language,
    subtenantId: account.subtenant_id,
    roles: account.roleIds.map((roleId) => ({ roleId, roleKey: roleOf(roleId).key })),
    /** The person asked for the end of the account, and may still keep it. */
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
