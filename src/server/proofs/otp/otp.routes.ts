import type { Data } from '#contract/index.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { otp as texts } from '#texts/otp.ts';
import { type Binder, succeeded } from '../../http/bind.ts';
import { type Caller, callerOf, type Http } from '../../http/visit-cookie.ts';
import type { Otps, SentOtp } from './otp-ports.ts';
import type { Otp } from './otp-store.ts';
import type { Recipients } from './recipients.ts';

/** The other address or number of a pending sign-up. */
export type AddressClaim = {
  readonly otpId: string;
  readonly userId: number;
  readonly email: string;
  /** `null` keeps the number. */
  readonly phone: { readonly dialCode: string; readonly number: string } | null;
};

type Deps = {
  readonly otps: Otps;
  readonly recipients: Recipients;
  readonly signUps: {
    /** Returns account and form of a pending sign-up after its address was changed. */
    changeAddress(
      claim: AddressClaim,
      caller: Caller,
    ): Promise<{ readonly userId: number; readonly registrationId: string }>;
  };
  readonly beginHosted: {
    /** Runs after a right OTP: the hosted session of a sign-in begins with this very answer (SRV-08). */
    afterCode(otp: Otp, caller: Caller, http: Http): Promise<void>;
  };
};

/** Binds the calls of one-time codes. */
export function bindOtp(bind: Binder, deps: Deps): void {
  const { otps, recipients, signUps, beginHosted } = deps;

  bind(
    'sendOtp',
    async ({ body, visit, ip, request }) => {
      const recipient = await recipients.find(body.otpType, body.createdBy, visit);
      return sent(await otps.send(recipient, body.otpSendMedium, callerOf(visit, ip, request)));
    },
    { with: 'signIn' },
  );
  bind('changeAddress', async ({ body, visit, ip, request }) => {
    const { id: otpId, createdBy, emailAddress: email, countryCode, mobileNumber } = body;
    const phone =
      countryCode && mobileNumber ? { dialCode: countryCode, number: mobileNumber } : null;
    const caller = callerOf(visit, ip, request);
    const moved = await signUps.changeAddress({ otpId, userId: createdBy, email, phone }, caller);
    const recipient = await recipients.find('USER_ACTIVATION', moved.userId, visit);
    const { data, ...envelope } = sent(await otps.send(recipient, OTP_MEDIUM.both, caller));
    return { ...envelope, data: { ...(data as Data<'sendOtp'>), ...moved } };
  });
  bind(
    'resendOtp',
    async ({ body, visit, ip, request }) => {
      const recipient = await recipients.find(body.otpType, body.createdBy, visit);
      return sent(await otps.resend(recipient, body.otpSendMedium, callerOf(visit, ip, request)));
    },
    { with: 'signIn' },
  );
  bind('verifyOtp', async ({ body, visit, ip, request, reply }) => {
    const { id, createdBy: userId } = body;
    const caller = callerOf(visit, ip, request);
    const otp = await otps.verify({ id, userId, otp: body.otp }, caller);
    await beginHosted.afterCode(otp, caller, { request, reply });
    return true;
  });
  bind('extendOtp', ({ body, visit }) =>
    otps.extend({ id: body.id, userId: body.createdBy }, visit),
  );
  bind(
    'callOtp',
    async ({ body, visit, ip, request }) => {
      const recipient = await recipients.find('TWOFACTORAUTHENTICATION', body.createdBy, visit);
      return otps.call(recipient, body.id, callerOf(visit, ip, request));
    },
    { with: 'signIn' },
  );
}

function sent(otp: SentOtp) {
  const { id, medium, sentTo, remainingMs, canExtend } = otp;
  const otpSendOn = [sentTo.email, sentTo.phone].filter(Boolean).join(', ');
  const data: Data<'sendOtp'> = {
    id,
    otpSendMedium: medium,
    otpSendOn,
    sentTo,
    remainingMs,
    canExtend,
  };
  return succeeded(data, [texts.sent[medium]]);
}
