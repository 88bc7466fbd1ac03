import { ACTIVATION_PROOF_LIFE_MS, REGISTRATION_LIFE_MS } from '#domain/proofs/activation.ts';
import type {
  ClientInteraction,
  Login,
  OtpMode,
  PendingOtp,
  ActivationProof,
  SignInStage,
  VisitState,
} from '#domain/flow/visit.ts';
import type { OtpMedium, OtpType } from '#domain/proofs/otp.ts';
import { OTP_GRACE_MS, OTP_TRIES, PLAIN_CODE_TYPES } from '#domain/proofs/otp.ts';
import { isCodeMissing } from '#domain/proofs/passkeys.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { isProvenByPhoneAlone } from '../accounts/proven-contacts.ts';
import { later } from '../core/clock.ts';
import type { KnownBrowsers } from '../accounts/known-browsers.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../core/context.ts';
import type { toSentOtp } from '../proofs/otp/send-otp.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import type { AttemptOf, SignInAttempt } from './sign-in-attempts.ts';
import type { SignIns } from './sign-ins.ts';
import type { Cookies } from '../core/cookies.ts';

/** Milliseconds in which an open code screen learns that the link was used elsewhere. */
const NEWS_LIFE_MS = 30 * MINUTE_MS;

const NO_NEWS = { activated: null, isActivatedByPhone: false };

/** Returns the part of a session that "Continue as …" needs. */
const nameOnly = ({ memberName }: Login): Login => ({
  appState: '',
  loggedInUserId: 0,
  signInId: '',
  userName: '',
  memberName,
  roles: [],
});

/** The request for a visit's state, besides the visit cookie. */
export type StateRequest = {
  /** The handle of an application's request. */
  readonly interaction?: string | null | undefined;
  /** The switcher needs roles, and its reload sends no bearer. */
  readonly isForSwitcher?: boolean;
  readonly hasBearer?: boolean;
  readonly cookies?: Cookies | undefined;
};

export type StateOf = (visit: Visit, request: StateRequest) => Promise<VisitState>;

type Ports = {
  readonly signIns: SignIns;
  readonly describe: typeof toSentOtp;
  /** The requests of other applications; `null` where they go to a tenant. */
  readonly requests: {
    find(
      visit: Visit,
      id: string,
    ): Promise<{
      readonly shown: ClientInteraction;
      readonly requiresSignInAfter: Date | null;
    } | null>;
  } | null;
  readonly knownBrowsers: Pick<KnownBrowsers, 'limitSubjectOf'>;
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
};

/**
 * Creates the reader of a visit's step, so that a page finds its screen again after a reload or with storage cleared.
 * With only the visit cookie, a complete sign-in discloses the name and no more (R8). Address, ids and roles need a
 * bearer; for the switcher and a third party's consent, which have none, the cookie of a browser that the account knows
 * (decision 091), or of a shared device, which no account knows.
 */
export function createVisitStates({ db, clock }: ServerContext, ports: Ports): StateOf {
  const { signIns, describe, requests, knownBrowsers, sharedDevices } = ports;

  const interactionOf = async (visit: Visit, handle: string | null | undefined) =>
    handle && requests ? requests.find(visit, handle) : null;

  /** Selects in one read the visit's open codes, and those whose form has been activated, the newest first. */
  const codesOf = ({ id }: Visit, now: Date) =>
    db
      .selectFrom('otp_codes')
      .innerJoin('users', 'users.id', 'otp_codes.user_id')
      .leftJoin('registrations', 'registrations.id', 'otp_codes.registration_id')
      .leftJoin('users as owner', 'owner.id', 'registrations.user_id')
      .selectAll('otp_codes')
      .select([
        'users.email as userEmail',
        'users.dial_code',
        'users.mobile',
        'users.sign_up_platform',
        'registrations.email as typedEmail',
        'registrations.dial_code as typedDialCode',
        'registrations.mobile as typedMobile',
        'registrations.completed_at',
        'registrations.activated_at',
        'registrations.visit_id as registeredBy',
        'owner.status',
        'owner.email_proven_at',
        'owner.phone_proven_at',
      ])
      .where('otp_codes.visit_id', '=', id)
      // The code of a step-up belongs to its page, and is no step of the visit.
      .where('otp_codes.type', 'not in', PLAIN_CODE_TYPES)
      .where((eb) =>
        eb.or([
          eb('otp_codes.closed_at', 'is', null),
          eb('registrations.activated_at', '>', later(now, -NEWS_LIFE_MS)),
        ]),
      )
      .orderBy('otp_codes.sent_at', 'desc')
      .execute();
  type Code = Awaited<ReturnType<typeof codesOf>>[number];

  function pendingOtp(
    codes: readonly Code[],
    { visit, signIn, now }: { visit: Visit; signIn: SignInAttempt | null; now: Date },
  ): PendingOtp | null {
    const row = codes.find(
      (code) =>
        code.closed_at === null &&
        code.verified_at === null &&
        // A code screen outlives its code: the visitor can ask for a new one there, as long as one may be sent.
        code.sent_at > later(now, -REGISTRATION_LIFE_MS),
    );
    if (!row) return null;
    const isStillAsked = row.sign_in_id
      ? signIn?.id === row.sign_in_id && isCodeMissing(signIn)
      : row.completed_at === null;
    if (!isStillAsked) return null;
    const medium = row.medium as OtpMedium;
    const email = row.typedEmail ?? row.userEmail;
    const phone = row.typedMobile
      ? `${row.typedDialCode}${row.typedMobile}`
      : `${row.dial_code}${row.mobile}`;
    const { sentTo, remainingMs, canExtend } = describe({ ...row, medium }, { email, phone }, now);
    const isDead = row.tries >= OTP_TRIES || later(row.expires_at, OTP_GRACE_MS) <= now;
    const ownMode: OtpMode = row.registeredBy === visit.id ? 'signUp' : 'activation';
    const mode: OtpMode = row.sign_in_id ? 'signIn' : ownMode;
    return {
      id: row.id,
      userId: row.user_id,
      registrationId: row.registration_id,
      signUpPlatform: row.sign_up_platform,
      email,
      otpType: row.type as OtpType,
      mode,
      entrance: signIn?.entrance ?? 'portal',
      medium,
      sentTo,
      remainingMs: isDead ? 0 : remainingMs,
      canExtend: canExtend && !isDead,
    };
  }

  /** Returns a right activation code that was not used yet. */
  function activationProofOf(codes: readonly Code[], now: Date): ActivationProof | null {
    const row = codes.find(
      (code) =>
        code.type === 'USER_ACTIVATION' &&
        code.closed_at === null &&
        code.verified_at !== null &&
        code.verified_at > later(now, -ACTIVATION_PROOF_LIFE_MS) &&
        code.completed_at === null,
    );
    if (!row || row.registration_id === null || row.typedEmail === null) return null;
    return {
      otpId: row.id,
      userId: row.user_id,
      registrationId: row.registration_id,
      signUpPlatform: row.sign_up_platform,
      email: row.typedEmail,
    };
  }

  /** Returns whether this visit's own form activated the account, not whether it is active. */
  function activated(codes: readonly Code[], now: Date) {
    const since = later(now, -NEWS_LIFE_MS);
    const at = ({ activated_at }: Code) => activated_at?.getTime() ?? 0;
    const [row] = codes
      .filter((code) => at(code) > since.getTime())
      .toSorted((a, b) => at(b) - at(a));
    if (!row?.status) return NO_NEWS;
    const { registration_id, status, email_proven_at, phone_proven_at } = row;
    return {
      activated: registration_id,
      isActivatedByPhone: isProvenByPhoneAlone({ status, email_proven_at, phone_proven_at }),
    };
  }

  return async (visit, request) => {
    const { interaction: handle, isForSwitcher = false, hasBearer = false, cookies } = request;
    const interaction = await interactionOf(visit, handle);
    const { current: found, hasTimedOut } = await signIns.standing(visit);
    const signIn = found?.attempt ?? null;
    const now = clock.now();
    const codes = await codesOf(visit, now);
    const code = pendingOtp(codes, { visit, signIn, now });
    const login = found && isUsable(found.attempt, interaction) ? signIns.loginOf(found) : null;
    const isShown = hasBearer || (await isOwnBrowser(login));
    return {
      subtenantId: visit.subtenantId,
      code,
      signIn: found && signInOf(found, isShown),
      ...(code
        ? { proof: null, ...NO_NEWS }
        : { proof: activationProofOf(codes, now), ...activated(codes, now) }),
      client: interaction?.shown ?? null,
      login: login && (isShown ? login : nameOnly(login)),
      hasTimedOut,
    };

    /** A third party's consent screen names the signed-in person. */
    async function isOwnBrowser(of: Login | null): Promise<boolean> {
      const isWanted = isForSwitcher || interaction?.shown.step === 'consent';
      if (!of || !isWanted) return false;
      const known = await knownBrowsers.limitSubjectOf(of.loggedInUserId, cookies);
      return known !== null || sharedDevices.isShared(cookies ?? {});
    }
  };
}

/** Whether a sign-in is complete, and new enough for the interaction that waits. */
function isUsable(
  { stage, verified_at }: SignInAttempt,
  interaction: { readonly requiresSignInAfter: Date | null } | null,
): boolean {
  const after = interaction?.requiresSignInAfter;
  return stage === 'complete' && !(after && (verified_at ?? 0) <= after);
}

function signInOf({ attempt, account }: AttemptOf, isShown: boolean): VisitState['signIn'] {
  const { stage, entrance } = attempt;
  const isHidden = stage === 'complete' && !isShown;
  return {
    stage: stage as SignInStage,
    entrance,
    email: isHidden ? null : (account?.email ?? null),
  };
}
