import { type AccountChange, accountChanges, accountMails } from '#texts/account-mails.ts';
import { fill } from '#locales/fill.ts';
import {
  button,
  help,
  type MailContent,
  named,
  note,
  type Person,
  pressed,
  text,
} from './mail-blocks.ts';
import { dateText } from './moments.ts';
import { greeting } from './greeting.ts';

/** A change of an account, as its owner is told. */
export type AccountNotice = {
  readonly kind: AccountChange;
  /** The words of the text, beside the subtenant's name. */
  readonly words?: Readonly<Record<string, string>>;
  /** A link that undoes the change, and its end. */
  readonly undo?: { readonly url: string; readonly until: Date } | null | undefined;
};

type Reader = Person & {
  readonly notice: AccountNotice;
  /** The page where a new password is asked for. */
  readonly forgot: string;
  readonly timeZone: string | null;
};

/** Returns the mail about a change: what happened, the undo where there is one, else the way to a new password. */
export function accountNoticeMail({ notice, forgot, timeZone, ...to }: Reader): MailContent {
  const { kind, words, undo } = notice;
  const filled = { ...named(to), ...words };
  const headline = fill(accountChanges[kind].subject, filled);
  const subject = fill(accountMails.subject, { ...filled, what: headline });
  const beginning = [
    text(greeting(to.firstName)),
    text(fill(accountChanges[kind].text, filled)),
    text(accountMails.wasYou),
  ];
  if (!undo) {
    const end = [note(accountMails.callUs), help, button(accountMails.wasNotYou, forgot)];
    return { subject, headline, blocks: [...beginning, ...end] };
  }
  const until = dateText(undo.until, timeZone);
  return {
    subject,
    headline,
    blocks: [
      ...beginning,
      pressed((press) => fill(accountMails.undoText, { ...press, until })),
      button(accountMails.undoButton, undo.url),
      note(accountMails.callUs),
      help,
    ],
    link: undo.url,
  };
}
