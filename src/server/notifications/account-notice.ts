import type { AccountChange, AccountChangeWords } from '#texts/account-mails.ts';
import { type RoleId, roleOf } from '#domain/people/roles.ts';
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
  mailTexts,
} from './mail-blocks.ts';
import { deviceText } from '../accounts/device-text.ts';
import { dateText } from './moments.ts';
import { greeting } from './greeting.ts';

type Word = string | Date | RoleId;

/** A change of an account, as its owner is told. */
export type AccountNotice = {
  readonly kind: AccountChange;
  /** The words of the text, beside the subtenant's name; a date and a role are named in the reader's language. */
  readonly words?: Readonly<Record<string, Word>>;
  /** A link that undoes the change, and its end. */
  readonly undo?: { readonly url: string; readonly until: Date } | null | undefined;
  /** The page on which the reader goes on; its button has the word `next` of the kind. */
  readonly next?: string;
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
  const t = mailTexts(to);
  const { accountChanges, accountMails } = t;
  const wordOf = (word: Word) => {
    if (typeof word === 'number') return t.roleNames[word] ?? roleOf(word).key;
    return word instanceof Date ? dateText(t, word, timeZone) : word;
  };
  const written = Object.entries(words ?? {}).map(([name, word]) => [
    name,
    name === 'key' ? deviceText(t, wordOf(word)) : wordOf(word),
  ]);
  const filled = { ...named(to), ...(Object.fromEntries(written) as Record<string, string>) };
  const change: AccountChangeWords = accountChanges[kind];
  const headline = fill(change.subject, filled);
  const subject = fill(accountMails.subject, { ...filled, what: headline });
  const beginning = [
    text(greeting(t, to.firstName)),
    text(fill(change.text, filled)),
    text(change.calm ?? accountMails.wasYou),
  ];
  if (notice.next !== undefined) {
    const end = [button(change.next ?? '', notice.next), note(accountMails.callUs), help];
    return { subject, headline, blocks: [...beginning, ...end], link: notice.next };
  }
  if (!undo) {
    const end = [note(accountMails.callUs), help, button(accountMails.wasNotYou, forgot)];
    return { subject, headline, blocks: [...beginning, ...end] };
  }
  const until = dateText(t, undo.until, timeZone);
  return {
    subject,
    headline,
    blocks: [
      ...beginning,
      pressed(t, (press) => fill(accountMails.undoText, { ...press, until })),
      button(accountMails.undoButton, undo.url),
      note(accountMails.callUs),
      help,
    ],
    link: undo.url,
  };
}
