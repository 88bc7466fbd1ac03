import type { Data } from '#contract/index.ts';
import { code as texts } from '#messages/en/code.ts';
import { type Binder, succeeded } from '../http/bind.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Otp, OtpCode, SentCode } from './otp.ts';
import type { Recipients } from './recipients.ts';

type Deps = {
  readonly otp: Otp;
  readonly recipients: Recipients;
  /** After a right sign-in code: the hosted session begins with this very answer (decisions 4). */
  readonly afterVerified: (
    code: OtpCode,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<void>;
};

export function bindOtp(bind: Binder, { otp, recipients, afterVerified }: Deps): void {
  bind('sendOtp', async ({ body, visit, ip }) => {
    const recipient = await recipients.find(body.otpType, body.createdBy, visit);
    return sent(await otp.send(recipient, body.otpSendMedium, { visit, ip }));
  });
  bind('resendOtp', async ({ body, visit, ip }) => {
    const recipient = await recipients.find(body.otpType, body.createdBy, visit);
    return sent(await otp.resend(recipient, body.otpSendMedium, { visit, ip }));
  });
  bind('verifyOtp', async ({ body, visit, ip, request, reply }) => {
    const { id, createdBy: userId } = body;
    const code = await otp.verify({ id, userId, otp: body.otp }, { visit, ip });
    await afterVerified(code, request, reply);
    return true;
  });
  bind('extendOtp', ({ body, visit }) =>
    otp.extend({ id: body.id, userId: body.createdBy }, visit),
  );
}

function sent(code: SentCode) {
  const { id, medium, sentTo, remainingMs, canExtend } = code;
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
