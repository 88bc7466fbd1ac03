import { isEmail } from '#domain/validation.ts';
import { passwords as texts } from '#messages/en/passwords.ts';
import { AppError } from '../http/app-error.ts';
import { type Binder, succeeded } from '../http/bind.ts';
import type { LookUps } from '../limits/look-ups.ts';
import type { Resets } from './resets.ts';

/** The seed's first message for a pending account. */
const NOT_ACTIVE = 'USER_NOT_ACTIVE';

export function bindPassword(bind: Binder, deps: { resets: Resets; lookUps: LookUps }): void {
  const { resets, lookUps } = deps;

  bind('forgotPassword', async ({ body, visit, ip }) => {
    const email = body.emailID.trim();
    if (!isEmail(email)) throw new AppError('BAD_REQUEST');
    const isTruthful = await lookUps.isTruthful(visit.id, ip);
    const answer = await resets.ask(email, isTruthful, { visit, ip });
    if (answer === 'sent') return succeeded(true, [texts.linkSent]);
    const messages = answer === 'notActive' ? [NOT_ACTIVE] : [texts.noAccount];
    return { succeeded: false, data: false, messages, errorFlag: null };
  });

  bind('getResetUser', async ({ params, visit, ip }) => {
    const user = await resets.open(params.resetKey, { visit, ip });
    if (user) return user;
    return {
      succeeded: false,
      data: null,
      messages: [texts.invalidLink],
      errorFlag: 'INVALID_LINK',
    };
  });

  bind('updatePassword', async ({ body, visit, ip }) => {
    const { forgotPasswordId, userName, password, hostedUserId = null } = body;
    const update = { forgotPasswordId, userName, password, hostedUserId };
    await resets.update({ ...update, userId: Number(body.userId) }, { visit, ip });
    return succeeded(true, [texts.changed]);
  });
}
