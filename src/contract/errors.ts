import type { FieldMessage } from '#texts/fields.ts';
import type { PasswordMessage } from '#texts/passwords.ts';
import type { ProblemMessage } from '#texts/problems.ts';
import type { RefusalMessage } from '#texts/refusals.ts';

/**
 * Every refusal, once: `code` is the `errorFlag` on the wire. Status 200 marks a business outcome that a screen shows
 * (WIR-02); everything below 500 is for the visitor, 500 is for the log.
 */
export const ERRORS = {
  EMAIL_IN_USE: { status: 200, message: 'emailInUse' },
  INVALID_SUBTENANT: { status: 200, message: 'subtenantInvalid' },
  INVALID_PROMO: { status: 200, message: 'promoInvalid' },
  INVALID_OTP: { status: 200, message: 'otpWrong' },
  OTP_EXPIRED: { status: 200, message: 'otpExpired' },
  OTP_DEAD: { status: 200, message: 'otpDead' },
  OTP_REPLACED: { status: 200, message: 'otpReplaced' },
  OTP_OTHER_MINUTE: { status: 200, message: 'otpOtherMinute' },
  OTHER_SIGN_IN: { status: 200, message: 'otherSignIn' },
  ACCOUNT_SUSPENDED: { status: 200, message: 'accountSuspended' },
  CALL_REFUSED: { status: 200, message: 'callRefused' },
  OTP_LIFE_OVER: { status: 200, message: 'otpExpired' },
  OTP_REQUIRED: { status: 200, message: 'sessionOver' },
  REQUEST_OVER: { status: 200, message: 'interactionOver' },
  SIGN_IN_AGAIN: { status: 200, message: 'sessionOver' },
  KEY_REFUSED: { status: 200, message: 'keyRefused' },
  PASSWORD_WANTED: { status: 200, message: 'passwordWanted' },
  HANDOFF_LOOP: { status: 200, message: 'handoffLoop' },
  NOT_SHARED: { status: 200, message: 'notShared' },
  MODULE_MISSING: { status: 200, message: 'moduleMissing' },
  HANDOFF_REFUSED: { status: 200, message: 'roleRequired' },
  PASSWORD_GUESSABLE: { status: 200, message: 'passwordGuessable' },
  PHONE_REFUSED: { status: 200, message: 'phoneImpossible' },
  CAPTCHA_NEEDED: { status: 200, message: 'captchaNeeded' },
  SAME_PASSWORD: { status: 409, message: 'samePassword' },
  RESET_REFUSED: { status: 400, message: 'status400' },
  RESET_UNAUTHORIZED: { status: 401, message: 'status401' },
  RESET_UNKNOWN: { status: 404, message: 'status404' },
  BAD_REQUEST: { status: 400, message: 'badRequest' },
  NO_SESSION: { status: 401, message: 'sessionOver' },
  MODULE_UNKNOWN: { status: 401, message: 'moduleUnknown' },
  HANDOFF_INVALID: { status: 401, message: 'handOffInvalid' },
  FORBIDDEN: { status: 403, message: 'forbidden' },
  NOT_FOUND: { status: 404, message: 'notFound' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'badRequest' },
  RESET_WAITS: { status: 200, message: 'resetWaits' },
  LINK_TAKEN: { status: 409, message: 'linkTaken' },
  KEPT_BY_ORGANISATION: { status: 409, message: 'keptByOrganisation' },
  OFF_BY_ORGANISATION: { status: 409, message: 'offByOrganisation' },
  LAST_OPERATOR: { status: 409, message: 'lastOperator' },
  CONFLICT: { status: 409, message: 'conflict' },
  TOO_LARGE: { status: 413, message: 'badRequest' },
  UNSUPPORTED_TYPE: { status: 415, message: 'badRequest' },
  TOO_SOON: { status: 429, message: 'tooSoon' },
  TOO_MANY: { status: 429, message: 'tooMany' },
  UNEXPECTED: { status: 500, message: 'unexpected' },
  UNAVAILABLE: { status: 503, message: 'unavailable' },
} as const satisfies Record<
  string,
  {
    readonly status: number;
    readonly message: FieldMessage | PasswordMessage | ProblemMessage | RefusalMessage;
  }
>;

export type ErrorCode = keyof typeof ERRORS;
