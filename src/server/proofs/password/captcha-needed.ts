import type { FastifyRequest } from 'fastify';
import { CAPTCHA_PURPOSES } from '#contract/captcha.ts';
import type { Captcha } from '../../abuse/captcha.ts';
import type { VisitCookie } from '../../http/visit-cookie.ts';
import type { Resets } from './reset-ports.ts';

/**
 * Creates the check whether this visitor's next call may need a proof of work. A visitor who signs in names the account
 * only then.
 */
export const createIsCaptchaNeeded =
  (
    visits: Pick<VisitCookie, 'find'>,
    resets: Pick<Resets, 'hasFailed'>,
    captcha: Pick<Captcha, 'isChallengeRequired'>,
  ) =>
  async ({ ip, cookies }: FastifyRequest): Promise<boolean> => {
    const visit = await visits.find(cookies);
    if (visit && (await resets.hasFailed(visit))) return true;
    return captcha.isChallengeRequired(CAPTCHA_PURPOSES, ip);
  };
