import type { Channel, MessageChannel } from '#domain/proofs/otp.ts';
import { mailHtml } from './mail-html.ts';
import type { Sender } from './sender.ts';
import { otpSms } from './sms-text.ts';
import { mailText } from './mail-text.ts';
import type { MailContent } from './mail-blocks.ts';

/** One message to one person by one channel. */
export type Message = {
  readonly channel: MessageChannel;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly code: string | null;
  /** A link with an effect; plain links to the portal are not named here. */
  readonly link: string | null;
};

/** Composes a mail: text and HTML are rendered from one content. */
export function mailMessage(to: string, content: MailContent, sender: Sender): Message {
  return {
    channel: 'email',
    to,
    subject: content.subject,
    text: mailText(content, sender),
    html: mailHtml(content, sender),
    code: content.code ?? null,
    link: content.link ?? null,
  };
}

const WORDS_ONLY = { subject: '', html: null, code: null, link: null };

/** Composes a text message or a call without a code. */
export const plainMessage = (channel: 'sms' | 'voice', to: string, text: string): Message => ({
  ...WORDS_ONLY,
  channel,
  to,
  text,
});

/** Composes a code as a text message: the code first, the last line bound to our domain. */
export function smsMessage(
  channel: Exclude<Channel, 'email'>,
  to: string,
  code: Parameters<typeof otpSms>[0],
): Message {
  return { ...WORDS_ONLY, channel, to, text: otpSms(code, channel === 'sms'), code: code.code };
}
