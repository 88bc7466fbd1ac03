import type { Channel } from '#domain/otp.ts';
import { mails } from '#messages/en/mails.ts';
import { fill } from '#messages/fill.ts';
import { minutesText } from '../http/app-error.ts';

/** One message to one person by one channel. */
export type Message = {
  readonly channel: Channel;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly code: string | null;
  readonly link: string | null;
};

/** The subtenant as a message shows it. */
export type Sender = {
  readonly name: string;
  readonly logoUrl: string;
  readonly accent: string | null;
};

type CodeMessage = {
  readonly code: string;
  readonly channel: Channel;
  readonly to: string;
  readonly firstName: string;
  readonly purpose: 'signUp' | 'signIn';
  readonly lifeMs: number;
  readonly sender: Sender;
  readonly host: string;
  /** At sign-up the mail carries a link beside the code. */
  readonly link: string | null;
};

/** A one-time code: the code first in subject and text; the last line of an SMS is bound to our domain. */
export function codeMessage(input: CodeMessage): Message {
  const { code, channel, to, sender, host } = input;
  const values = { code, subtenant: sender.name };
  if (channel !== 'email') {
    const text = `${fill(mails.codeSms, values)}\n\n@${host} #${code}`;
    return { channel, to, subject: '', text, html: null, code, link: null };
  }
  const paragraphs = [
    greeting(input.firstName),
    input.purpose === 'signUp' ? mails.codeSignUp : mails.codeSignIn,
    fill(mails.codeLife, { minutes: minutesText(Math.round(input.lifeMs / 60_000)) }),
    ...(input.link ? [fill(mails.codeLink, { link: input.link })] : []),
    fill(mails.codeWarning, values),
  ];
  const headline = fill(mails.codeHeadline, { code });
  return {
    channel,
    to,
    subject: fill(mails.codeSubject, values),
    text: plainText(headline, paragraphs, sender),
    html: html(headline, paragraphs, sender, input.link),
    code,
    link: input.link,
  };
}

type ToPerson = { readonly to: string; readonly firstName: string; readonly sender: Sender };

/** The link that sets a new password. */
export function resetMessage({
  to,
  firstName,
  sender,
  link,
}: ToPerson & { link: string }): Message {
  const paragraphs = [greeting(firstName), mails.resetText, link, mails.resetWarning];
  return {
    channel: 'email',
    to,
    subject: fill(mails.resetSubject, { subtenant: sender.name }),
    text: plainText(mails.resetHeadline, paragraphs, sender),
    html: html(mails.resetHeadline, paragraphs, sender, link),
    code: null,
    link,
  };
}

/** Tells the owner that the password was changed. */
export function passwordChangedMessage({
  to,
  firstName,
  sender,
  help,
}: ToPerson & { help: string }): Message {
  const paragraphs = [greeting(firstName), mails.changedText, fill(mails.changedWarning, { help })];
  return {
    channel: 'email',
    to,
    subject: fill(mails.changedSubject, { subtenant: sender.name }),
    text: plainText(mails.changedHeadline, paragraphs, sender),
    html: html(mails.changedHeadline, paragraphs, sender),
    code: null,
    link: null,
  };
}

/** Tells the owner of an account that a role was added (decisions 4, CreateUser). */
export function roleAddedMessage(input: {
  readonly to: string;
  readonly firstName: string;
  readonly role: string;
  readonly help: string;
  readonly sender: Sender;
}): Message {
  const { sender } = input;
  const paragraphs = [
    greeting(input.firstName),
    fill(mails.roleAddedText, { role: input.role }),
    fill(mails.roleAddedWarning, { help: input.help }),
  ];
  return {
    channel: 'email',
    to: input.to,
    subject: fill(mails.roleAddedSubject, { subtenant: sender.name }),
    text: plainText(mails.roleAddedHeadline, paragraphs, sender),
    html: html(mails.roleAddedHeadline, paragraphs, sender),
    code: null,
    link: null,
  };
}

function plainText(headline: string, paragraphs: readonly string[], sender: Sender): string {
  const footer = fill(mails.footer, { subtenant: sender.name });
  return [headline, ...paragraphs, footer].join('\n\n');
}

/** Mail clients know tables, inline styles and little else; the colours read well in light and dark. */
function html(
  headline: string,
  paragraphs: readonly string[],
  sender: Sender,
  link: string | null = null,
): string {
  const accent = escapeHtml(sender.accent ?? '#0B4A52');
  const body = paragraphs
    .map(
      (text) =>
        `<p style="margin:0 0 16px;font-size:18px;line-height:1.5;overflow-wrap:anywhere">${withLink(escapeHtml(text), link)}</p>`,
    )
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(headline)}</title></head><body style="margin:0;padding:24px;font-family:Verdana,Arial,sans-serif"><table role="presentation" width="100%" style="max-width:600px;margin:0 auto;border-top:6px solid ${accent}"><tr><td style="padding:24px 8px"><img src="${escapeHtml(sender.logoUrl)}" alt="${escapeHtml(sender.name)}" height="48" style="display:block;margin:0 0 24px"><h1 style="margin:0 0 20px;font-size:30px;line-height:1.2">${escapeHtml(headline)}</h1>${body}<p style="margin:32px 0 0;font-size:16px;line-height:1.5">${escapeHtml(fill(mails.footer, { subtenant: sender.name }))}</p></td></tr></table></body></html>`;
}

/** Our own link, and nothing that somebody else wrote, becomes one that can be pressed. */
function withLink(escaped: string, link: string | null): string {
  if (link === null) return escaped;
  const url = escapeHtml(link);
  return escaped.replace(url, () => `<a href="${url}">${url}</a>`);
}

const NAME_LENGTH = 50;

/**
 * Anybody can sign up with anybody's address and any name: what mail programs would make a link of, and what looks like
 * a text of ours, is taken off it.
 */
function greeting(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\p{Pd} .'’]/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  return fill(mails.greeting, { name: [...words].slice(0, NAME_LENGTH).join('') });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);
}
