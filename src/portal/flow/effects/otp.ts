import type { Data } from '#contract/index.ts';
import { PHONE_VERIFIED } from '#contract/activation-messages.ts';
import type { FlowState } from '#domain/flow/state.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { SIGN_UP_PLATFORM } from '#domain/proofs/activation.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import type { Failure } from '../../lib/api.ts';
import { problems } from '#texts/problems.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { linkBody } from '../../lib/link-body.ts';
import { countResend } from '../history-state.ts';
import { failureEvent, lostOr } from './answer.ts';
import type { Deps, SomeHandlers } from './deps.ts';

/** Sends, checks and extends a code, and activates after a right one (OTP-03..13). */
export function otpEffects({ api, subtenantId, now }: Deps) {
  return {
    async sendOtp({ userId, otpType, sendOn = null }, state) {
      const result = await api.call('sendOtp', {
        body: {
          createdBy: userId,
          otpSendMedium: OTP_MEDIUM.both,
          subtenantId: subtenantId(),
          otpType,
          otpSendOn: sendOn,
          resendCount: 0,
        },
      });
      if (result.kind !== 'ok')
        return state.at === 'activation' ? lostOr(result) : failureEvent(result);
      const otp = { ...toSent(result.data), userId, otpType, ...journeyOf(state) };
      return { type: 'otpSent', otp };
    },
    async resendOtp({ otp }) {
      const { id, userId, medium, otpType, sentTo } = otp;
      const resendCount = countResend();
      const result = await api.call('resendOtp', {
        body: {
          id,
          createdBy: userId,
          otpSendMedium: medium,
          otpType,
          subtenantId: subtenantId(),
          otpSendOn: sendOnOf(sentTo),
          resendCount,
        },
      });
      if (result.kind !== 'ok') return notSent(result);
      return { type: 'otpSent', otp: { ...otp, ...toSent(result.data) } };
    },
    async verifyOtp({ otp, digits }) {
      const { id, userId, signUpPlatform, otpType, medium, sentTo } = otp;
      const result = await api.call('verifyOtp', {
        body: {
          id,
          createdBy: userId,
          otp: Number(digits),
          signUpPlateform: signUpPlatform,
          otpType,
          otpSendMedium: medium,
          otpSendOn: sendOnOf(sentTo),
        },
      });
      return result.kind === 'ok' ? { type: 'otpVerified' } : otpRefusal(result);
    },
    async extendOtp({ otp }, state) {
      const { id, userId } = otp;
      const result = await api.call('extendOtp', { body: { id, createdBy: userId } });
      if (result.kind === 'ok') return { type: 'otpExtended', ...result.data };
      if (result.kind !== 'refused' || state.at !== 'otp') return lostOr(result);
      // OTP_LIFE_OVER: the remaining time stays, and no extension is offered again.
      const remainingMs = Math.max(0, state.deadline - now());
      return { type: 'otpExtended', remainingMs, canExtend: false };
    },
    async callOtp({ otp }) {
      const { id, userId } = otp;
      const result = await api.call('callOtp', { body: { id, createdBy: userId } });
      if (result.kind === 'ok') return { type: 'otpCalled', ...result.data };
      if (result.kind === 'refused' && result.errorFlag === 'CALL_REFUSED') {
        return { type: 'callRefused', text: result.messages[0] ?? problems.general };
      }
      return otpRefusal(result);
    },
    async changeAddress({ otp: old, email, phone }) {
      const { id, userId: createdBy } = old;
      const result = await api.call('changeAddress', {
        body: {
          id,
          createdBy,
          emailAddress: email,
          ...(phone && { countryCode: phone.dialCode, mobileNumber: phone.phone }),
        },
      });
      if (result.kind === 'ok') {
        const { userId, registrationId } = result.data;
        const moved = { userId, registrationId, email, ...toSent(result.data) };
        return { type: 'addressChanged', otp: { ...old, ...moved }, phone };
      }
      const reason = ADDRESS_REASONS[result.errorFlag as keyof typeof ADDRESS_REASONS];
      return reason ? { type: 'addressRefused', reason } : lostOr(result);
    },
    async confirmLink({ link }) {
      const result = await api.call('confirmLink', { body: linkBody(link) });
      if (result.kind === 'ok') return { type: 'linkConfirmed', proof: result.data };
      if (result.kind !== 'refused') return failureEvent(result);
      const [text = problems.general] = result.messages;
      return { type: 'linkRefused', text };
    },
    async checkAuthUser({ email }) {
      const result = await api.call('isAuthUser', { params: { email: email ?? '' } });
      if (result.kind !== 'ok') return lostOr(result);
      return { type: 'authUserChecked', isAuthUser: result.data };
    },
    async activate({ proof, password }, state) {
      const { otpId, userId, registrationId, signUpPlatform } = proof;
      const link = ('link' in state && state.link) || null;
      const result = await api.call('activateUser', {
        body: {
          userRegstrtnId: registrationId,
          userId,
          activationKey: link?.key ?? null,
          signUpPlatform,
          clientIPAddress: CLIENT_IP,
          userActivationId: link?.userActivationId ?? null,
          otpId,
          password,
        },
      });
      if (result.kind === 'refused' && result.errorFlag === 'PASSWORD_GUESSABLE') {
        return { type: 'fieldRefused', field: 'password', text: result.messages[0] ?? '' };
      }
      if (result.kind !== 'ok') return lostOr(result);
      return { type: 'activated', isByPhone: result.messages[0] === PHONE_VERIFIED };
    },
  } satisfies SomeHandlers;
}

/** Returns the masked destinations of a code in the wire's format. */
function sendOnOf({ email, phone }: PendingOtp['sentTo']): string {
  return [email, phone].filter(Boolean).join(', ');
}

/** Returns the fields of the answer that a pending code takes over. */
function toSent({ id, otpSendMedium: medium, sentTo, remainingMs, canExtend }: Data<'sendOtp'>) {
  return { id, medium, sentTo, remainingMs, canExtend };
}

/** Returns the part of a pending code that only the flow knows: the journey and the entry point. */
function journeyOf(
  state: FlowState,
): Pick<PendingOtp, 'registrationId' | 'signUpPlatform' | 'email' | 'mode' | 'entrance'> {
  const none = { registrationId: null, signUpPlatform: SIGN_UP_PLATFORM, email: null } as const;
  if (state.at === 'redirect') {
    return { ...none, email: state.email, mode: 'signIn', entrance: state.entrance };
  }
  if (state.at === 'activation') {
    const { registrationId, platform: signUpPlatform } = state.link;
    return { ...none, registrationId, signUpPlatform, mode: 'activation', entrance: 'portal' };
  }
  const { registrationId, email } = (state.at === 'signUp' && state.account) || none;
  return { ...none, registrationId, email, mode: 'signUp', entrance: 'portal' };
}

function notSent(result: Failure): FlowEvent {
  if (result.kind === 'failed' && result.errorFlag === 'TOO_SOON') {
    return { type: 'resendTooSoon', waitMs: (result.retryAfterSeconds ?? 1) * 1000 };
  }
  return lostOr(result);
}

const ADDRESS_REASONS = {
  EMAIL_IN_USE: 'emailInUse',
  PHONE_REFUSED: 'phoneImpossible',
  BAD_REQUEST: 'emailInvalid',
} as const;

const REASONS = {
  INVALID_OTP: 'otpWrong',
  OTP_EXPIRED: 'otpExpired',
  OTP_DEAD: 'otpDead',
  OTP_REPLACED: 'otpReplaced',
  OTP_OTHER_MINUTE: 'otpOtherMinute',
} as const;

function otpRefusal(result: Failure): FlowEvent {
  if (result.errorFlag === 'ACCOUNT_SUSPENDED') return { type: 'accountSuspended' };
  if (result.errorFlag === 'OTHER_SIGN_IN') return { type: 'otherSignInFound' };
  const reason = REASONS[result.errorFlag as keyof typeof REASONS];
  return reason ? { type: 'otpRefused', reason } : lostOr(result);
}
