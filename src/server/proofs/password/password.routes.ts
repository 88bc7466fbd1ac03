import { EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import { passwordDone } from '#texts/password-done.ts';
import { passwords as texts } from '#texts/passwords.ts';
import { problems } from '#texts/problems.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';
import { waitMinutes } from '#domain/text/duration.ts';
import type { ServerContext } from '../../core/context.ts';
import { AppError } from '../../http/app-error.ts';
import { type Binder, succeeded } from '../../http/bind.ts';
import type { Captcha } from '../../abuse/captcha.ts';
import type { EnumerationGuard } from '../../abuse/enumeration-guard.ts';
import type { ClientRequests } from './reset-ports.ts';
import type { Resets } from './resets.ts';

/** The first message for a pending account (PWD-02). */
const NOT_ACTIVE = 'USER_NOT_ACTIVE';

type Deps = {
  readonly resets: Resets;
  readonly enumerationGuard: EnumerationGuard;
  readonly captcha: Captcha;
  readonly requests: ClientRequests | null;
};

/** Binds the calls of passwords. */
export function bindPassword(bind: Binder, { clock }: ServerContext, deps: Deps): void {
  const { resets, enumerationGuard, captcha, requests } = deps;
  bind('forgotPassword', async ({ body, query, visit, ip, request }) => {
    const email = EMAIL_RULE.normalize(body.emailID);
    if (!isEmail(email)) throw new AppError('BAD_REQUEST');
    await captcha.require('forgotPassword', { visit, ip, request });
    const isTruthful = await enumerationGuard.mayDisclose(visit.id, ip);
    const from =
      query.request !== undefined && requests
        ? await requests.cameFrom(visit, query.request)
        : null;
    const answer = await resets.ask(email, isTruthful, { visit, ip }, from);
    if (answer.kind === 'sent') {
      const when = answer.sentAt === null ? [] : [sentAgo(answer.sentAt, clock.now())];
      return succeeded(true, [texts.linkSent, ...when]);
    }
    const messages = answer.kind === 'notActive' ? [NOT_ACTIVE] : [texts.noAccount];
    return { succeeded: false, data: false, messages, errorFlag: null };
  });

  bind('getResetUser', async ({ params, visit, ip }) => {
    const user = await resets.open(params.resetKey, { visit, ip });
    if (user) return user;
    return {
      succeeded: false,
      data: null,
      messages: [problems.invalidLink],
      errorFlag: 'INVALID_LINK',
    };
  });

  bind('updatePassword', async ({ body, visit, ip, request }) => {
    const { forgotPasswordId, userName, password, hostedUserId = null } = body;
    // A captcha refresh follows every failure (PWD-08): from the second try on, a proof of work is required.
    const hasFailed = await resets.hasFailed(visit);
    await captcha.require('resetPassword', { visit, ip, request }, hasFailed);
    const update = { forgotPasswordId, userName, password, hostedUserId };
    const { cookies } = request;
    await resets.update({ ...update, userId: Number(body.userId) }, { visit, ip, cookies });
    return succeeded(true, [passwordDone.changed]);
  });
}

/** Returns how long ago, not the hour, which would depend on a time zone. */
function sentAgo(sentAt: Date, now: Date): string {
  const minutes = waitMinutes(now.getTime() - sentAt.getTime());
  return fill(texts.sentBefore, { minutes: spanText(minutes, 'minute') });
}
