import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { FastifyRequest } from 'fastify';
import { type CaptchaPurpose, solvedChallenge } from '#contract/captcha.ts';
import type { Data } from '#contract/index.ts';
import { CAPTCHA_HEADER } from '#contract/routes.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../core/context.ts';
import type { Use } from './rate-limits.ts';
import { RATE_LIMITS } from '../config/limits.ts';

export type CaptchaCaller = {
  readonly visit: Visit;
  readonly ip: string;
  /** The request whose header may carry a proof. */
  readonly request: Pick<FastifyRequest, 'headers'>;
};

export type Captcha = ReturnType<typeof createCaptcha>;

/** Milliseconds, enough for a slow device and a visitor who is still typing; then the browser repeats it by itself. */
const LIFE_MS = 5 * MINUTE_MS;
/** Rounds of one derivation, which takes about a millisecond; `work` is their average number. */
const COST = 5000;
const MAX_LENGTH = 4096;

/** Returns the counters with a threshold, by purpose; a reset counts only its own failures. */
function countersOf(purpose: CaptchaPurpose, ip: string): readonly Use[] {
  switch (purpose) {
    case 'signIn':
      return [[RATE_LIMITS.passwordProofPerIp, ip]];
    case 'signUp':
      return [[RATE_LIMITS.signUpProofPerIp, ip]];
    case 'forgotPassword':
      return [[RATE_LIMITS.resetProofPerIp, ip]];
    case 'resetPassword':
      return [];
  }
}

/** Creates the invisible captcha: a proof of work that browsers do by themselves (SRV-18, decision 030). */
export function createCaptcha({ db, clock, config, secretBox, rateLimits, audit }: ServerContext) {
  const { isAlways, work } = config.captcha;
  const secrets = {
    hmacSignatureSecret: secretBox.hmac('captcha', 'challenge'),
    hmacKeySignatureSecret: secretBox.hmac('captcha', 'key'),
  };
  const nameOf = (visit: Visit) => secretBox.hmac('captcha-visit', visit.id);

  /** Returns whether this network's count, or one of several, is above its challenge threshold. */
  async function isChallengeRequired(
    purpose: CaptchaPurpose | readonly CaptchaPurpose[],
    ip: string,
  ): Promise<boolean> {
    const counters = [purpose].flat().flatMap((each) => countersOf(each, ip));
    return isAlways || (counters.length > 0 && (await rateLimits.isExhausted(...counters)));
  }

  /** Checks a proof and records it, so that it is accepted once. */
  async function accept(
    purpose: CaptchaPurpose,
    { visit, ip, request }: CaptchaCaller,
    spentAt: Date | null,
  ): Promise<boolean> {
    const read = readSolved(request.headers[CAPTCHA_HEADER]);
    if (!read) return false;
    const { nonce, data } = read.challenge.parameters;
    const isOurs = data.purpose === purpose && data.visit === nameOf(visit);
    const isRight =
      isOurs &&
      data.until > clock.now().getTime() &&
      (await verifySolution({ ...read, ...secrets, deriveKey })).verified;
    const entered =
      isRight &&
      (await db
        .insertInto('captcha_solutions')
        .values({
          id: nonce,
          visit_id: visit.id,
          purpose,
          expires_at: new Date(data.until),
          spent_at: spentAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst());
    const kind = entered ? 'captcha.passed' : 'captcha.refused';
    await audit({ kind, visitId: visit.id, ip, details: { purpose } });
    return Boolean(entered);
  }

  return {
    isChallengeRequired,

    /**
     * Returns signed work for a browser, valid only for this visit and purpose.
     * @throws AppError TOO_MANY
     */
    async challenge(
      purpose: CaptchaPurpose,
      { visit, ip }: Pick<CaptchaCaller, 'visit' | 'ip'>,
    ): Promise<Data<'getChallenge'>> {
      await rateLimits.consume([RATE_LIMITS.challengePerIp, ip]);
      const until = clock.now().getTime() + LIFE_MS;
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(Math.ceil(work * 1.5), Math.ceil(work / 2)),
        // Our own clock decides on its expiry, so the library must not use the machine's clock.
        data: { purpose, visit: nameOf(visit), until },
        deriveKey,
        ...secrets,
      });
      return challenge as Data<'getChallenge'>;
    },

    /**
     * Passes a call when no counter is above its threshold, or consumes the call's proof of work.
     * @throws AppError CAPTCHA_NEEDED
     */
    async require(
      purpose: CaptchaPurpose,
      caller: CaptchaCaller,
      isRequiredAnyway: boolean = false,
    ): Promise<void> {
      if (!isRequiredAnyway && !(await isChallengeRequired(purpose, caller.ip))) return;
      if (await accept(purpose, caller, clock.now())) return;
      throw new AppError('CAPTCHA_NEEDED');
    },

    /**
     * Stores a proof that is sent before its call: the hosted login's wire has no place for one.
     * @throws AppError CAPTCHA_NEEDED
     */
    async store(purpose: CaptchaPurpose, caller: CaptchaCaller): Promise<void> {
      if (!(await accept(purpose, caller, null))) throw new AppError('CAPTCHA_NEEDED');
    },

    /** Consumes a stored proof; returns `false` when there is none. */
    async consume(purpose: CaptchaPurpose, visit: Visit): Promise<boolean> {
      const now = clock.now();
      const spent = await db
        .updateTable('captcha_solutions')
        .set({ spent_at: now })
        .where('spent_at', 'is', null)
        .where('id', '=', (query) =>
          query
            .selectFrom('captcha_solutions')
            .select('id')
            .where('visit_id', '=', visit.id)
            .where('purpose', '=', purpose)
            .where('spent_at', 'is', null)
            .where('expires_at', '>', now)
            .limit(1),
        )
        .returning('id')
        .executeTakeFirst();
      return spent !== undefined;
    },
  };
}

/** Returns the solved challenge of a header; `null` for anything else. */
function readSolved(text: unknown) {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return null;
  try {
    const parsed = solvedChallenge.safeParse(
      JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
    );
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
