import type { Registrations } from '#openid-provider/ports.ts';
import { SIGN_UP_PLATFORM } from '#domain/activation.ts';
import { isPasswordAcceptable } from '#domain/password-policy.ts';
import { DEFAULT_COUNTRY, FIRST_COUNTRIES, splitDialCode } from '#domain/phone.ts';
import { MEMBER_ROLE } from '#domain/roles.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { isEmail } from '#domain/validation.ts';
import type { Captcha } from '../../abuse/captcha.ts';
import type { EnumerationGuard } from '../../abuse/enumeration-guard.ts';
import { newAccountId } from '../../accounts/account-store.ts';
import { AppError } from '../../http/app-error.ts';
import { type Caller, insertVisit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../context.ts';
import type { Resets } from '../../password/resets.ts';
import type { SignUp, SignUps } from '../../sign-up/sign-up.ts';

type Services = {
  readonly create: SignUps['create'];
  /**
   * Sends the code and the activation link of a sign-up, as the screens do. @returns false for an account that is
   * there: its role waits for a code that only a screen can take. @throws AppError
   */
  readonly sendActivation: (userId: number, caller: Caller) => Promise<boolean>;
  readonly askReset: Resets['ask'];
  /** Whether an answer may still tell if an address has an account. */
  readonly mayDisclose: EnumerationGuard['mayDisclose'];
  /** Whether a proof of work is due; these calls have no place for one. */
  readonly isChallengeRequired: Captcha['isChallengeRequired'];
};

const CHALLENGE_WAIT_SECONDS = 60;

/**
 * The provider's port `Registrations`: Auth0's calls for sign-up and reset, over the portal's own services with the
 * same limits (security D29).
 */
export function createRegistrations(context: ServerContext, services: Services): Registrations {
  async function callerFrom(ip: string): Promise<Caller> {
    const { visit } = await insertVisit(context.db, context.clock.now());
    return { visit, ip };
  }

  return {
    async signUp(form, { ip }) {
      if (await services.isChallengeRequired('signUp', ip)) return { kind: 'proofNeeded' };
      if (!isPasswordAcceptable(form.password)) return { kind: 'weakPassword' };
      const caller = await callerFrom(ip);
      const mayDisclose = await services.mayDisclose(caller.visit.id, ip);
      try {
        const { userId, userActivationMode } = await services.create(
          toSignUp(form),
          caller,
          mayDisclose,
        );
        const isOpen = userActivationMode === 'VERIFY_OTP';
        if (isOpen && (await services.sendActivation(userId, caller))) {
          return { kind: 'created', accountId: String(userId) };
        }
        // Once too many addresses were asked about, a taken one looks like a free one.
        const accountId = String(newAccountId());
        return mayDisclose ? { kind: 'exists' } : { kind: 'created', accountId };
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

    async askReset(email, { ip }) {
      if (await services.isChallengeRequired('forgotPassword', ip)) return CHALLENGE_WAIT_SECONDS;
      if (!isEmail(email)) return 0;
      try {
        await services.askReset(email, false, await callerFrom(ip));
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
  const split = splitDialCode(phone, FIRST_COUNTRIES);
  return {
    subtenantId: DEFAULT_SUBTENANT_ID,
    signUpPlatform: SIGN_UP_PLATFORM,
    roleId: MEMBER_ROLE,
    firstName: givenName,
    lastName: familyName,
    dialCode: (split?.country ?? DEFAULT_COUNTRY).value,
    phone: split?.number ?? phone,
    email,
    userName: email,
    password,
    promoCode: null,
  };
}
