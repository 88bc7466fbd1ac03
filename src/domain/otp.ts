/** One-time codes: the numbers of OTP-03, SRV-05 and SRV-07, and the rules that both sides share. */

export const OTP_LENGTH = 6;
/** Life of a code and wait before the next one, in milliseconds. */
export const OTP_COUNTDOWN_MS = 120_000;
/** Taken in on top of the shown time, for the way through the network. */
export const OTP_GRACE_MS = 15_000;
/** What "I need more time" adds, and the most a code can live from its sending. */
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

/** Medium codes: 1 SMS, 2 WhatsApp, 3 email, 4 both (email and SMS). */
export const OTP_MEDIUM = { sms: 1, whatsapp: 2, email: 3, both: 4 } as const;
export type OtpMedium = (typeof OTP_MEDIUM)[keyof typeof OTP_MEDIUM];
export type Channel = 'email' | 'sms' | 'whatsapp';

const CHANNELS: Readonly<Record<OtpMedium, readonly Channel[]>> = {
  1: ['sms'],
  2: ['whatsapp'],
  3: ['email'],
  4: ['email', 'sms'],
};

export function channelsOf(medium: OtpMedium): readonly Channel[] {
  return CHANNELS[medium];
}

/** What a right code proves: who typed it reads what is sent there. */
export type Contact = 'email' | 'phone';

export function contactOf(channel: Channel): Contact {
  return channel === 'email' ? 'email' : 'phone';
}

/** Whether a code goes by mail: as asked; always, whatever was asked for; or by mail alone (PRF-02). */
export type MailRule = 'asked' | 'always' | 'only';

/** The medium that a code goes by. No medium is mail and WhatsApp: who asks for that gets mail and SMS. */
export function mediumFor(asked: OtpMedium, rule: MailRule): OtpMedium {
  if (rule === 'only') return OTP_MEDIUM.email;
  const hasMail = channelsOf(asked).includes('email');
  return rule === 'asked' || hasMail ? asked : OTP_MEDIUM.both;
}

/** Keeps the first six digits of anything typed, pasted, dictated or filled in ("123 456", a whole SMS). */
export function otpDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, OTP_LENGTH);
}

/** The wire sends the code as a number or a string: leading zeros are put back (SRV-06). */
export function normalizeOtp(otp: number | string): string | null {
  const digits = String(otp).trim();
  return /^\d{1,6}$/.test(digits) ? digits.padStart(OTP_LENGTH, '0') : null;
}

export type OtpEntryProblem = 'otpRequired' | 'otpInvalid';

/** What is wrong with a typed code before it is sent, if anything (OTP-05). */
export function otpEntryProblem(code: string): OtpEntryProblem | null {
  if (code === '') return 'otpRequired';
  return /^\d{6}$/.test(code) ? null : 'otpInvalid';
}

/** When a code ends that is given more time: two minutes later, ten minutes from sending at most. Epoch milliseconds. */
export function extendedExpiry(sentAt: number, expiresAt: number): number {
  return Math.min(expiresAt + OTP_EXTENSION_MS, sentAt + OTP_MAX_LIFE_MS);
}

/**
 * Returns for how many milliseconds a code is waited for. For none when the clock was ahead as it was sent, and has been
 * put right since: it would be hours.
 */
export function remainingLife(
  { sent_at: sentAt, expires_at: expiresAt }: { readonly sent_at: Date; readonly expires_at: Date },
  now: Date,
): number {
  const isAhead = sentAt.getTime() > now.getTime() + OTP_GRACE_MS;
  return isAhead ? 0 : Math.max(0, expiresAt.getTime() - now.getTime());
}

/** "j•••@example.org" and "••• •• 22": enough to recognise, too little to learn from. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}•••@${domain}`;
}

export function maskPhone(digits: string): string {
  return `••• ••${digits.slice(-2)}`;
}
