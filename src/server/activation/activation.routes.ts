import type { Binder } from '../http/bind.ts';
import type { Activation } from './activation.ts';

export function bindActivation(bind: Binder, activation: Activation): void {
  bind('isAuthUser', ({ params, visit }) => activation.isAuthUser(params.email, visit));
  bind('activateUser', async ({ body, visit, ip }) => {
    const { userId, userRegstrtnId: registrationId, otpId } = body;
    await activation.activate({ userId, registrationId, otpId }, visit, ip);
    return true;
  });
}
