import type { Data } from '#contract/index.ts';
import { isRoleId } from '#domain/roles.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { Binder } from '../http/bind.ts';
import { isOwnPassword, type PasswordCheck } from '../sign-in/password-check.ts';
import type { HandOff } from './hand-off.ts';

type Deps = {
  readonly handOff: HandOff;
  readonly passwordCheck: Pick<PasswordCheck, 'verify'>;
  readonly sealedModules: Data<'beginSession'>['sealedModules'];
};

/** Binds the calls of the hand-off. */
export function bindHandOff(
  bind: Binder,
  { db }: Pick<ServerContext, 'db'>,
  { handOff, passwordCheck, sealedModules }: Deps,
): void {
  bind('issueHandoff', ({ body, session }) => {
    const { choice, entrance, isAsked = false } = body;
    if (choice === null) return handOff.issue(session, { choice, entrance, isAsked });
    const { kind, roleId } = choice;
    if (!isRoleId(roleId)) throw new AppError('HANDOFF_REFUSED');
    return handOff.issue(session, { choice: { kind, roleId }, entrance, isAsked });
  });
  bind('checkPassword', async ({ body, session, ip, request }) => {
    const account = await findActiveAccount(db, session.userId);
    if (!account) throw new AppError('NO_SESSION');
    const from = { ip, cookieHeader: request.headers.cookie };
    const isRight = await isOwnPassword(passwordCheck, account, body.password, from);
    return isRight ? { appState: session.appState, sealedModules } : null;
  });
  bind('redeemHandoff', async ({ body, request }) => {
    const redeemed = await handOff.redeem(request.headers.authorization, body.token);
    return {
      userId: redeemed.userId,
      userName: redeemed.userName,
      memberName: redeemed.memberName,
      email: redeemed.userName,
      roleId: redeemed.roleId,
      userRoles: [...redeemed.roles],
      subtenantId: redeemed.subtenantId,
      appState: redeemed.appState,
      loggedInId: redeemed.signInId,
    };
  });
}
