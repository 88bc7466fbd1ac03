import type { AccountChange } from '#texts/account-mails.ts';
import { fill } from '#locales/fill.ts';
import { OFFERED } from '#locales/languages.ts';
import { textsIn } from '#locales/catalogue.ts';
import { tenantCommand } from '#locales/operator/tenant-command.ts';
import { OTP_COUNTDOWN_MS } from '#domain/proofs/otp.ts';
import type { AdminContext } from '../core/context.ts';
import { nameInText, onePart } from './gsm-text.ts';
import { lifeText } from './life-text.ts';
import type { Sender } from './sender.ts';
import { mailTexts } from './mail-blocks.ts';

type Code = {
  readonly code: string;
  readonly lifeMs: number;
  readonly host: string;
  readonly sender: Pick<Sender, 'name' | 'language'>;
};

/** A code for a phone; its last line lets browsers fill it in on our pages and nowhere else. */
export function otpSms(input: Code, isText = true): string {
  const [whole, short] = codeTexts(input);
  const { name } = input.sender;
  return isText ? onePart(name, whole, short) : whole(name);
}

/** Returns a code's text by the name of the house: with the time that it works, and without. */
function codeTexts({ code, lifeMs, host, sender }: Code) {
  const t = textsIn(sender.language);
  const { mails } = t;
  const last = `\n\n@${host} #${code}`;
  const minutes = lifeText(t, lifeMs);
  return [
    (subtenant: string) => fill(mails.codeSms, { code, minutes, subtenant }) + last,
    (subtenant: string) => fill(mails.codeSmsShort, { code, subtenant }) + last,
  ] as const;
}

/** Returns a name as text messages with a code write it; `null` where it is the name itself. */
export function nameInTexts(name: string, host: string): string | null {
  const names = OFFERED.map((language) => {
    const sender = { name, language };
    const [, short] = codeTexts({ code: '000000', lifeMs: OTP_COUNTDOWN_MS, host, sender });
    return nameInText(name, short);
  });
  const [shortest = name] = names.toSorted((a, b) => a.length - b.length);
  return shortest === name ? null : shortest;
}

/** Returns the sentence that says how text messages write a name; `null` where they write it as it is. */
export function textedNameHint({ config }: Pick<AdminContext, 'config'>, name: string) {
  const written = nameInTexts(name, new URL(config.publicUrl).host);
  return written === null ? null : fill(tenantCommand.inTexts, { name: written });
}

/** A text about a step of a change by staff: with the link that stops it, else as its mail says it. */
export function staffChangeSms(sender: Sender, kind: AccountChange, link: string | null): string {
  const { mails, accountChanges, accountMails } = mailTexts({ sender });
  return onePart(sender.name, (subtenant) =>
    link === null
      ? `${fill(accountChanges[kind].text, { subtenant })} ${accountMails.callUs} ${sender.help.phone}`
      : fill(mails.staffChangeSms, { link, subtenant }),
  );
}
