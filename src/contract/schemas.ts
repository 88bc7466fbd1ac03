import * as z from 'zod/mini';

/** Limits for every text on the wire, so that no input is slow to process. */
export const shortText = z.string().check(z.maxLength(200));
export const longText = z.string().check(z.maxLength(2000));
export const userId = z.number().check(z.int(), z.positive());
export const subtenantId = z.number().check(z.int(), z.positive(), z.maximum(2 ** 31 - 1));
/** Client IP fields: accepted, checked as text, ignored (SRV-19). */
export const ignoredIp = z.optional(z.nullable(z.string().check(z.maxLength(45))));
export const dialCode = z.string().check(z.regex(/^\+?\d{1,4}$/));
/** As typed: the server reads it (decision 251). */
export const mobileNumber = z.string().check(z.minLength(1), z.maxLength(60));
/** The medium codes of `OTP_MEDIUM`. */
export const medium = z.union([
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
]);
/** Numbers that clients send as numbers or digits. */
export const numeric = z.union([z.number(), z.string().check(z.regex(/^\d{1,16}$/))]);
