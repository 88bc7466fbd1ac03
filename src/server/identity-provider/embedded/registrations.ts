import { randomInt, randomUUID } from 'node:crypto';
import type { Registrations } from '#openid-provider/ports.ts';
import { SIGN_UP_PLATFORM } from '#domain/activation.ts';
import { isPasswordAcceptable } from '#domain/password-policy.ts';
import { DEFAULT_COUNTRY, FIRST_COUNTRIES, splitDialCode } from '#domain/phone.ts';
import { MEMBER_ROLE } from '#domain/roles.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/subtenants.ts';
import { isEmail } from '#domain/validation.ts';
import { AppError } from '../../http/app-error.ts';
import type { Visit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../context.ts';
import { hashToken, randomToken } from '../../crypto/secret-box.ts';

type Caller = { readonly visit: Visit; readonly ip: string };

type Form = {
  readonly subtenantId: number;
  readonly signUpPlatform: number;
  readonly roleId: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly dialCode: string;
  readonly phone: string;
  readonly email: string;
  readonly userName: string;
  readonly password: string;
  readonly promoCode: null;
};

type Ports = {
  /** The portal's own sign-up. @throws AppError */
  readonly create: (
    form: Form,
    caller: Caller,
  ) => Promise<{ readonly userId: number; readonly userActivationMode: string }>;
  /** Sends the code and the activation link of a sign-up, as the screens do. @throws AppError */
  readonly sendActivation: (userId: number, caller: Caller) => Promise<unknown>;
  /** The portal's own "forgot password". @throws AppError */
  readonly askReset: (email: string, isTruthful: boolean, caller: Caller) => Promise<unknown>;
  readonly isTruthful: (visitId: string, ip: string) => Promise<boolean>;
  /** Whether a proof of work is due; these calls have no place for one. */
  readonly isChallengeRequired: (
    purpose: 'signUp' | 'forgotPassword',
    ip: string,
  ) => Promise<boolean>;
};

const PRESSED_WAIT_SECONDS = 60;

/** Auth0's sign-up and reset calls: another door to the same services, with the same limits behind it (security D29). */
export function createRegistrations({ db, clock }: ServerContext, ports: Ports): Registrations {
  /** Nobody has its cookie: the activation mail opens a visit of its own. */
  async function callerFrom(ip: string): Promise<Caller> {
    const id = randomUUID();
    const now = clock.now();
    const token_hash = hashToken(randomToken());
    const row = { id, token_hash, subtenant_id: null, created_at: now, seen_at: now };
    await db.insertInto('visits').values(row).execute();
    return { visit: { id, subtenantId: null }, ip };
  }

  return {
    async signUp(form, { ip }) {
      if (await ports.isChallengeRequired('signUp', ip)) return { kind: 'proofNeeded' };
      if (!isPasswordAcceptable(form.password)) return { kind: 'weakPassword' };
      const caller = await callerFrom(ip);
      const isTruthful = await ports.isTruthful(caller.visit.id, ip);
      try {
        const { userId, userActivationMode } = await ports.create(toForm(form), caller);
        if (userActivationMode === 'VERIFY_OTP') {
          await ports.sendActivation(userId, caller);
          return { kind: 'created', accountId: String(userId) };
        }
        // Once too many addresses were asked about, a taken one looks like a free one.
        const accountId = String(randomInt(2 ** 31, 2 ** 47));
        return isTruthful ? { kind: 'exists' } : { kind: 'created', accountId };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'TOO_MANY') {
          return { kind: 'blocked', retryAfterSeconds: secondsOf(error) };
        }
        if (error.status >= 500) throw error;
        return { kind: 'invalid', messages: error.messages };
      }
    },

    async askReset(email, { ip }) {
      if (await ports.isChallengeRequired('forgotPassword', ip)) return PRESSED_WAIT_SECONDS;
      if (!isEmail(email)) return 0;
      try {
        await ports.askReset(email, false, await callerFrom(ip));
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

function toForm(form: Parameters<Registrations['signUp']>[0]): Form {
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
