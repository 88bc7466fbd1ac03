/** One-time codes: the numbers of OTP-03, SRV-05 and SRV-07, and the rules that both sides share. */

import { firstLetters } from '../text/first-letters.ts';
import { digitsOf, latinDigits } from '../typed/digits.ts';

export const OTP_LENGTH = 6;
/** Digits of a printed recovery code, which stands for that of an app. */
export const RECOVERY_LENGTH = 12;
/** Life of a code and wait before the next one, in milliseconds. */
export const OTP_COUNTDOWN_MS = 120_000;
/** Milliseconds accepted beyond the shown time, for the network. */
export const OTP_GRACE_MS = 15_000;
/** Milliseconds of one extension, and the maximum life of a code from its sending. */
export const OTP_EXTENSION_MS = 120_000;
export const OTP_MAX_LIFE_MS = 600_000;
export const OTP_TRIES = 5;

export const OTP_TYPES = [
  'USER_ACTIVATION',
  'FORGOT_PASSWORD',
  'TWOFACTORAUTHENTICATION',
  'VERIFY_CONTACT',
] as const;
export type OtpType = (typeof OTP_TYPES)[number];

/**
 * The purpose of a code. Those beside the calls of the API belong to plain forms: a step-up proves within a session that
 * it is still the same person, a new contact proves itself, and an older phone proves a recovery after an undo, or a
 * change by staff.
 */
export type CodeType = OtpType | PlainCodeType;
export const PLAIN_CODE_TYPES = ['STEP_UP', 'NEW_CONTACT', 'RECOVERY', 'STAFF_CHANGE'] as const;
type PlainCodeType = (typeof PLAIN_CODE_TYPES)[number];

/** Medium codes: 1 SMS, 2 WhatsApp, 3 email, 4 both (email and SMS), 5 the person's own app: nothing is sent. */
export const OTP_MEDIUM = { sms: 1, whatsapp: 2, email: 3, both: 4, app: 5 } as const;
export type OtpMedium = (typeof OTP_MEDIUM)[keyof typeof OTP_MEDIUM];
export type Channel = 'email' | 'sms' | 'whatsapp';
/** The channels of a message; `voice`: a call that says the phone's code. No medium asks for it. */
export type MessageChannel = Channel | 'voice';

const CHANNELS: Readonly<Record<OtpMedium, readonly Channel[]>> = {
  1: ['sms'],
  2: ['whatsapp'],
  3: ['email'],
  4: ['email', 'sms'],
  5: [],
};

/** Returns the channels of a medium. */
export function mediumChannels(medium: OtpMedium): readonly Channel[] {
  return CHANNELS[medium];
}

/** The contact that a right code proves, because its digits were sent there. */
export type Contact = 'email' | 'phone';

/** Returns the contact that a channel reaches. */
export function channelContact(channel: MessageChannel): Contact {
  return channel === 'email' ? 'email' : 'phone';
}

/** Whether a code is mailed: as requested; always; only mailed (PRF-02); or only texted. */
export type MailRule = 'asked' | 'always' | 'only' | 'never';

/**
 * Returns the medium of a code that is sent. There is none for mail and WhatsApp: such a request gets mail and SMS. So
 * does one for the app of an account that has none.
 * @param hasTexts `false`: no text leaves this installation, and a code goes by mail alone where it may
 */
export function mediumFor(asked: OtpMedium, rule: MailRule, hasTexts: boolean): OtpMedium {
  const medium = mediumByRule(asked, rule);
  return hasTexts || !mediumChannels(medium).includes('email') ? medium : OTP_MEDIUM.email;
}

function mediumByRule(asked: OtpMedium, rule: MailRule): OtpMedium {
  if (rule === 'only') return OTP_MEDIUM.email;
  if (rule === 'never') return asked === OTP_MEDIUM.whatsapp ? asked : OTP_MEDIUM.sms;
  if (asked === OTP_MEDIUM.app) return OTP_MEDIUM.both;
  const hasMail = mediumChannels(asked).includes('email');
  return rule === 'asked' || hasMail ? asked : OTP_MEDIUM.both;
}

/**
 * Returns the code in typed, pasted, dictated or filled-in text ("123 456", a whole SMS): the first six digits that stand
 * together, or else the first six of the text.
 */
export function otpDigits(text: string): string {
  const latin = latinDigits(text);
  return digitsOf(/(?:^|\D)(\d{3}\D?\d{3})(?![-.]?\d)/.exec(latin)?.[1] ?? latin).slice(
    0,
    OTP_LENGTH,
  );
}

/**
 * Returns the code in the text of a form or a call: its digits, and of a copied message six. Other text stays as it is, so
 * that it is wrong, and not missing.
 */
export function codeIn(text: string): string {
  if (!/\p{L}/u.test(text)) return digitsOf(text) || text.trim();
  const code = otpDigits(text);
  return code.length === OTP_LENGTH ? code : text.trim();
}

/** Normalizes a code from the wire, a number or a string: restores leading zeros (SRV-06). */
export function normalizeOtp(otp: number | string): string | null {
  const digits = typeof otp === 'number' ? String(otp) : codeIn(otp);
  return /^\d{1,6}$/.test(digits) ? digits.padStart(OTP_LENGTH, '0') : null;
}

export type OtpEntryProblem = 'otpRequired' | 'otpInvalid';

/** Returns the problem of an entered code before it is sent, if any (OTP-05). */
export function otpEntryProblem(code: string): OtpEntryProblem | null {
  if (code === '') return 'otpRequired';
  return /^\d{6}$/.test(code) ? null : 'otpInvalid';
}

/** Returns the expiry of an extended code: two minutes later, ten minutes from sending at most. Epoch milliseconds. */
export function extendedExpiry(sentAt: number, expiresAt: number): number {
  return Math.min(expiresAt + OTP_EXTENSION_MS, sentAt + OTP_MAX_LIFE_MS);
}

/**
 * Returns the remaining milliseconds of a code; 0 when the clock was ahead at its sending and has been corrected since,
 * because the rest would be hours.
 */
export function remainingLife(
  { sent_at: sentAt, expires_at: expiresAt }: { readonly sent_at: Date; readonly expires_at: Date },
  now: Date,
): number {
  const isAhead = sentAt.getTime() > now.getTime() + OTP_GRACE_MS;
  return isAhead ? 0 : Math.max(0, expiresAt.getTime() - now.getTime());
}

/** Masks a contact as "j•••@example.org" or "••• •• 22": recognisable for its owner, useless to others. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${firstLetters(local, 1)}•••@${domain}`;
}

/** Masks a phone number. */
export function maskPhone(digits: string): string {
  return `••• ••${digits.slice(-2)}`;
}
