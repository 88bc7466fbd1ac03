import type { Data } from '#contract/index.ts';
import { OTP_MEDIUM, type OtpMedium, type OtpType } from '#domain/otp.ts';
import { otp as texts } from '#locales/en/otp.ts';
import { type Binder, succeeded } from '../http/bind.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../http/visit-cookie.ts';
import type { Otps, SentOtp } from './otp.ts';
import type { Otp } from './otp-store.ts';
import type { Recipients } from './recipients.ts';

type Deps = {
  readonly otps: Otps;
  readonly recipients: Recipients;
  /** Enumeration `strict`: an OTP proves the mailbox it came to, so at sign-up it goes nowhere else. */
  readonly isSignUpByMailOnly: boolean;
  /** The account and the form of a pending sign-up after its address was changed. */
  readonly changeAddress: (
    claim: { readonly otpId: string; readonly userId: number; readonly email: string },
    caller: Caller,
  ) => Promise<{ readonly userId: number; readonly registrationId: string }>;
  /** After a right sign-in OTP: the hosted session begins with this very answer (SRV-08). */
  readonly afterVerified: (otp: Otp, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

export function bindOtp(bind: Binder, deps: Deps): void {
  const { otps, recipients, afterVerified, isSignUpByMailOnly } = deps;
  const mediumFor = (otpType: OtpType, asked: OtpMedium): OtpMedium =>
    isSignUpByMailOnly && otpType === 'USER_ACTIVATION' ? OTP_MEDIUM.email : asked;

  bind('sendOtp', async ({ body, visit, ip }) => {
    const recipient = await recipients.find(body.otpType, body.createdBy, visit);
    const medium = mediumFor(body.otpType, body.otpSendMedium);
    return sent(await otps.send(recipient, medium, { visit, ip }));
  });
  bind('changeAddress', async ({ body, visit, ip }) => {
    const { id: otpId, createdBy, emailAddress: email } = body;
    const caller = { visit, ip };
    const moved = await deps.changeAddress({ otpId, userId: createdBy, email }, caller);
    const recipient = await recipients.find('USER_ACTIVATION', moved.userId, visit);
    const medium = mediumFor('USER_ACTIVATION', OTP_MEDIUM.both);
    const { data, ...envelope } = sent(await otps.send(recipient, medium, caller));
    return { ...envelope, data: { ...(data as Data<'sendOtp'>), ...moved } };
  });
  bind('resendOtp', async ({ body, visit, ip }) => {
    const recipient = await recipients.find(body.otpType, body.createdBy, visit);
    const medium = mediumFor(body.otpType, body.otpSendMedium);
    return sent(await otps.resend(recipient, medium, { visit, ip }));
  });
  bind('verifyOtp', async ({ body, visit, ip, request, reply }) => {
    const { id, createdBy: userId } = body;
    const otp = await otps.verify({ id, userId, otp: body.otp }, { visit, ip });
    await afterVerified(otp, request, reply);
    return true;
  });
  bind('extendOtp', ({ body, visit }) =>
    otps.extend({ id: body.id, userId: body.createdBy }, visit),
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
  return succeeded(data, [texts.sent]);
}
