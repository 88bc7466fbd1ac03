import { isRoleId } from '#domain/roles.ts';
import { AppError } from '../http/app-error.ts';
import type { Binder } from '../http/bind.ts';
import type { HandOff } from './hand-off.ts';

/** Binds the calls of the hand-off. */
export function bindHandOff(bind: Binder, handOff: HandOff): void {
  bind('issueHandoff', ({ body, session }) => {
    const { choice, entrance } = body;
    if (choice === null) return handOff.issue(session, { choice, entrance });
    const { kind, roleId } = choice;
    if (!isRoleId(roleId)) throw new AppError('HANDOFF_REFUSED');
    return handOff.issue(session, { choice: { kind, roleId }, entrance });
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
