import type { Problem } from '#domain/flow/state.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import type { Api } from '../../lib/api.ts';
import { isCaptchaNeeded, withCaptcha } from '../../lib/captcha.ts';
import { problemOf } from '../../flow/problem-of.ts';
import { interactionQuery } from '../../flow/view.ts';

export type AskOutcome =
  /** `note`: the time of an earlier mail, when none was sent now. */
  | { readonly kind: 'sent'; readonly note: string | null }
  /** This browser cannot do the security check. */
  | { readonly kind: 'captcha' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'notActive' }
  | { readonly kind: 'failed'; readonly problem: Problem };

const NOT_ACTIVE = 'USER_NOT_ACTIVE';

/** Sends the forgot-password request as specified (PWD-03, DAT-12). */
export async function askForLink(api: Api, email: string, search: string): Promise<AskOutcome> {
  const result = await withCaptcha(api).call('forgotPassword', {
    // The link back to the application that the visitor came from.
    query: interactionQuery(search),
    body: {
      userName: email,
      emailID: email,
      requestedIP: CLIENT_IP,
      commMedium: 'Email',
      commSendOn: email,
    },
  });
  if (result.kind === 'ok') return { kind: 'sent', note: result.messages[1] ?? null };
  if (isCaptchaNeeded(result)) return { kind: 'captcha' };
  if (result.kind === 'failed') return { kind: 'failed', problem: problemOf(result) };
  return result.messages[0] === NOT_ACTIVE ? { kind: 'notActive' } : { kind: 'unknown' };
}
