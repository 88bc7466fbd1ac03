import type { AccountChange } from '#texts/account-mails.ts';
import { fill } from '#locales/fill.ts';
import { lifeText } from './life-text.ts';
import type { Sender } from './sender.ts';
import { named, textsFor } from './mail-blocks.ts';

/** Characters of one text message, in the GSM alphabet. */
const SMS_LENGTH = 160;

/** A code for a phone; its last line lets browsers fill it in on our pages and nowhere else. */
export function otpSms(input: {
  readonly code: string;
  readonly lifeMs: number;
  readonly host: string;
  readonly sender: Sender;
}): string {
  const { code, lifeMs, host } = input;
  const t = textsFor(input);
  const { mails } = t;
  const values = { code, minutes: lifeText(t, lifeMs), ...named(input) };
  const last = `\n\n@${host} #${code}`;
  const whole = fill(mails.codeSms, { ...values }) + last;
  return whole.length > SMS_LENGTH ? fill(mails.codeSmsShort, { ...values }) + last : whole;
}

/** A text about a step of a change by staff: with the link that stops it, else as its mail says it. */
export function staffChangeSms(sender: Sender, kind: AccountChange, link: string | null): string {
  const { mails, accountChanges, accountMails } = textsFor({ sender });
  const words = named({ sender });
  if (link !== null) return fill(mails.staffChangeSms, { link, ...words });
  return `${fill(accountChanges[kind].text, words)} ${accountMails.callUs} ${sender.help.phone}`;
}
