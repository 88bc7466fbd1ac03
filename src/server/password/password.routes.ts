import { isEmail } from '#domain/validation.ts';
import { passwords as texts } from '#locales/en/passwords.ts';
import { AppError } from '../http/app-error.ts';
import { type Binder, succeeded } from '../http/bind.ts';
import type { Captcha } from '../abuse/captcha.ts';
import type { EnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { Resets } from './resets.ts';

/** The first message for a pending account (PWD-02). */
const NOT_ACTIVE = 'USER_NOT_ACTIVE';

type Deps = {
  readonly resets: Resets;
  readonly enumerationGuard: EnumerationGuard;
  readonly captcha: Captcha;
};

export function bindPassword(bind: Binder, { resets, enumerationGuard, captcha }: Deps): void {
  bind('forgotPassword', async ({ body, visit, ip, request }) => {
    const email = body.emailID.trim();
    if (!isEmail(email)) throw new AppError('BAD_REQUEST');
    await captcha.require('forgotPassword', { visit, ip, request });
    const isTruthful = await enumerationGuard.mayDisclose(visit.id, ip);
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

  bind('updatePassword', async ({ body, visit, ip, request }) => {
    const { forgotPasswordId, userName, password, hostedUserId = null } = body;
    // A captcha refresh follows every failure (PWD-08): from the second try on the browser has to work for it.
    const hasFailed = await resets.hasFailed(visit);
    await captcha.require('resetPassword', { visit, ip, request }, hasFailed);
    const update = { forgotPasswordId, userName, password, hostedUserId };
    await resets.update({ ...update, userId: Number(body.userId) }, { visit, ip });
    return succeeded(true, [texts.changed]);
  });
}
