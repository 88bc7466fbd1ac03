import type { Registrations } from '#openid-provider/ports.ts';
import { SIGN_UP_PLATFORM } from '#domain/proofs/activation.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { DEFAULT_COUNTRY } from '#domain/typed/phone.ts';
import { MEMBER_ROLE } from '#domain/people/roles.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import type { Captcha } from '../../abuse/captcha.ts';
import type { EnumerationGuard } from '../../abuse/enumeration-guard.ts';
import { newAccountId } from '../../accounts/account-store.ts';
import type { SignUpForm } from '../../accounts/registration-store.ts';
import { randomId } from '../../crypto/secret-box.ts';
import { AppError } from '../../http/app-error.ts';
import { type Caller, insertVisit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Otps } from '../../proofs/otp/otp-ports.ts';
import type { Recipients } from '../../proofs/otp/recipients.ts';
import type { Resets } from '../../proofs/password/resets.ts';
import type { SignUps } from '../../sign-up/sign-up.ts';
import type { SignUp } from '../../sign-up/sign-up-ports.ts';

export type RegistrationServices = {
  readonly signUps: SignUps;
  readonly recipients: Recipients;
  readonly otps: Pick<Otps, 'send'>;
  readonly resets: Pick<Resets, 'ask'>;
  readonly enumerationGuard: EnumerationGuard;
  /** These calls cannot carry a proof of work. */
  readonly captcha: Pick<Captcha, 'isChallengeRequired'>;
};

const CHALLENGE_WAIT_SECONDS = 60;
const SIGN_UP_JOB = 'signUpByClient';

/**
 * The provider's port `Registrations`: Auth0's calls for sign-up and reset, over the portal's own services with the
 * same limits (security D29).
 */
export function createRegistrations(
  context: ServerContext,
  services: RegistrationServices,
): Registrations {
  const { db, clock, outbox } = context;
  const { signUps, recipients, otps, resets, enumerationGuard, captcha } = services;

  /**
   * Sends the code and the activation link of a sign-up, as the screens do.
   * @returns false for an existing account: its role needs a code that only a screen can take
   * @throws AppError
   */
  async function sendActivation(userId: number, caller: Caller): Promise<boolean> {
    const recipient = await recipients.find('USER_ACTIVATION', userId, caller.visit);
    if (recipient.isForRole) return false;
    await otps.send(recipient, OTP_MEDIUM.both, caller);
    return true;
  }

  async function callerFrom(ip: string): Promise<Caller> {
    const { visit } = await insertVisit(db, clock.now());
    return { visit, ip };
  }

  /** Without disclosure, a taken address looks like a free one: no account is read before the answer. */
  async function createLater(input: SignUp, { visit, ip }: Caller) {
    const form = await signUps.prepare(input, ip);
    await outbox.add(db, {
      kind: SIGN_UP_JOB,
      payload: { form, visit, ip },
      idempotencyKey: `signUp:${randomId()}`,
    });
    outbox.wake();
    return { kind: 'created', accountId: String(newAccountId()) } as const;
  }

  outbox.define({
    kind: SIGN_UP_JOB,
    async deliver(payload) {
      const { form, ...caller } = payload as Caller & { readonly form: SignUpForm };
      try {
        const { userId } = await signUps.createWithoutDisclosure(form, caller);
        await sendActivation(userId, caller);
      } catch (error) {
        // The answer has been sent, and another try would not help.
        if (!(error instanceof AppError) || error.status >= 500) throw error;
      }
    },
  });

  return {
    async signUp(form, { ip }) {
      if (await captcha.isChallengeRequired('signUp', ip)) return { kind: 'proofNeeded' };
      if (!isPasswordAcceptable(form.password)) return { kind: 'weakPassword' };
      const caller = await callerFrom(ip);
      const mayDisclose = await enumerationGuard.mayDisclose(caller.visit.id, ip);
      try {
        if (!mayDisclose) return await createLater(toSignUp(form), caller);
        const { userId, userActivationMode } = await signUps.create(toSignUp(form), caller, true);
        const isOpen = userActivationMode === 'VERIFY_OTP';
        return isOpen && (await sendActivation(userId, caller))
          ? { kind: 'created', accountId: String(userId) }
          : { kind: 'exists' };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'TOO_MANY') {
          return { kind: 'blocked', retryAfterSeconds: secondsOf(error) };
        }
        if (error.status >= 500) throw error;
        const kind = error.code === 'PASSWORD_GUESSABLE' ? 'guessablePassword' : 'invalid';
        return { kind, messages: error.messages };
      }
    },

    async askReset(typed, { ip }, clientId) {
      if (await captcha.isChallengeRequired('forgotPassword', ip)) return CHALLENGE_WAIT_SECONDS;
      const email = EMAIL_RULE.normalize(typed);
      if (!isEmail(email)) return 0;
      try {
        const from = { clientId, request: null, resultUrl: null };
        await resets.ask(email, false, await callerFrom(ip), from);
        return 0;
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TOO_MANY') throw error;
        return secondsOf(error);
      }
    },
  };
}

const secondsOf = (error: AppError) =>
  Math.max(1, Math.ceil((error.details.retryAfterMs ?? 0) / 1000));

function toSignUp(form: Parameters<Registrations['signUp']>[0]): SignUp {
  const { email, password, givenName, familyName, phone } = form;
  return {
    subtenantId: DEFAULT_SUBTENANT_ID,
    signUpPlatform: SIGN_UP_PLATFORM,
    roleId: MEMBER_ROLE,
    firstName: givenName,
    lastName: familyName,
    dialCode: DEFAULT_COUNTRY.value,
    phone,
    email,
    userName: email,
    password,
    promoCode: null,
  };
}
