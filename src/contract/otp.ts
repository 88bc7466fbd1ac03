import * as z from 'zod/mini';
import { OTP_TYPES } from '#domain/proofs/otp.ts';
import {
  dialCode,
  longText,
  medium,
  mobileNumber,
  numeric,
  shortText,
  subtenantId,
  userId,
} from './schemas.ts';

/** Fields that clients may send and the server ignores: it knows destination, count and subtenant itself (security D17). */
const ignored = {
  otpSendOn: z.optional(z.nullable(longText)),
  resendCount: z.optional(z.nullable(numeric)),
};

const ignoredSubtenantId = z.optional(subtenantId);

/** Send-OTP request, with the later form's fields (DAT-03). */
export const sendOtpBody = z.strictObject({
  createdBy: userId,
  otpSendMedium: medium,
  otpType: z.enum(OTP_TYPES),
  subtenantId: ignoredSubtenantId,
  ...ignored,
});

export const resendOtpBody = z.strictObject({ id: shortText, ...sendOtpBody.shape });

/** `remainingMs` and `canExtend` are ours: the countdown is the server's, never the browser's (SRV-07). */
export const otpData = z.object({
  id: z.string(),
  otpSendMedium: medium,
  otpSendOn: z.string(),
  sentTo: z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  remainingMs: z.number(),
  canExtend: z.boolean(),
});

/** "Not your address?": the pending code is named, the form behind it is found through the visit. */
export const changeAddressBody = z.strictObject({
  id: shortText,
  createdBy: userId,
  emailAddress: longText,
  /** Both or none: without them the number stays. */
  countryCode: z.optional(dialCode),
  mobileNumber: z.optional(mobileNumber),
});
export const changeAddressData = z.extend(otpData, {
  userId: z.number(),
  registrationId: z.string(),
});

/** The OTP context of OTP-13. */
export const verifyOtpBody = z.strictObject({
  id: shortText,
  createdBy: userId,
  otp: z.union([z.number().check(z.int(), z.nonnegative()), longText]),
  signUpPlateform: z.optional(z.number()),
  otpType: z.optional(z.enum(OTP_TYPES)),
  otpSendMedium: z.optional(medium),
  ...ignored,
});

export const extendOtpBody = z.strictObject({ id: shortText, createdBy: userId });
/** Only a sign-in's code is said: the call goes to the phone of its account. */
export const callOtpBody = z.strictObject({ id: shortText, createdBy: userId });
export const extendOtpData = z.object({ remainingMs: z.number(), canExtend: z.boolean() });
