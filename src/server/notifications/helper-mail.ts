import type { AccountChange, AccountChangeWords } from '#texts/account-mails.ts';
import type { Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import {
  button,
  type MailContent,
  named,
  note,
  type Person,
  text,
  mailTexts,
} from './mail-blocks.ts';
import { dateText } from './moments.ts';
import { greeting, plainName } from './greeting.ts';

/** A mail to a helper: the named person is asked, or somebody helps from now on, or not for long, or no more. */
export type HelperMail = {
  readonly kind: 'asked' | 'started' | 'endsSoon' | 'ended';
  /** The name of the member. */
  readonly member: string;
  /** The end of the year; `null` where the mail names none. */
  readonly endsAt: Date | null;
};

/** The notices to a member that helpers get a copy of. */
export type CopiedNotice = 'newSignIn' | 'passwordChanged' | 'passwordTried' | AccountChange;

/** What helpers are not told: it opens nothing, or they read it in a mail of their own. */
const NOT_COPIED: ReadonlySet<AccountChange> = new Set([
  'nameChanged',
  'accountCloses',
  'accountKept',
  'helperAdded',
  'helperEndsSoon',
  'helpReset',
  'helpResend',
  'helpUnlock',
]);

const memberOf = ({ helperMails }: Texts, name: string) => plainName(name) || helperMails.nobody;

/** Returns a mail to a helper. An ask has the way to an account as well, because it goes to any address alike (HLP-11). */
export function helperMail(
  to: Person & {
    readonly mail: HelperMail;
    readonly people: string;
    readonly timeZone: string | null;
  },
): MailContent {
  const { kind, member, endsAt } = to.mail;
  const t = mailTexts(to);
  const texts = t.helperMails;
  const date = endsAt ? dateText(t, endsAt, to.timeZone) : '';
  const words = { ...named(to), member: memberOf(t, member), date };
  const beginning = [text(greeting(t, to.firstName)), text(fill(texts[kind].text, words))];
  const content = {
    subject: fill(texts[kind].subject, words),
    headline: fill(texts[kind].headline, words),
  };
  if (kind === 'ended') return { ...content, blocks: beginning };
  if (kind !== 'asked') {
    return { ...content, blocks: [...beginning, button(texts.toPage, to.people)] };
  }
  return {
    ...content,
    blocks: [
      ...beginning,
      text(texts.answerHow),
      button(texts.answer, to.people),
      text(texts.signUpFirst),
      note(fill(texts.notKnown, words)),
    ],
  };
}

/** Returns whether helpers get a copy of a notice of this kind. */
export const isCopied = (kind: CopiedNotice): boolean =>
  !(NOT_COPIED as ReadonlySet<string>).has(kind);

/** Returns what a copy says, in one sentence. */
function copyText({ helperMails: texts, accountChanges }: Texts, kind: CopiedNotice): string {
  if (kind === 'newSignIn' || kind === 'passwordTried') return texts[kind];
  const { copy = texts.otherChange }: AccountChangeWords = accountChanges[kind];
  return copy;
}

/** Returns a copy of a notice: what kind of thing happened to whom, without link, device, place or contact (HLP-16). */
export function helperCopy(
  to: Person & { readonly member: string; readonly kind: CopiedNotice },
): MailContent {
  const t = mailTexts(to);
  const texts = t.helperMails;
  const what = copyText(t, to.kind);
  const words = { ...named(to), member: memberOf(t, to.member), what };
  return {
    subject: fill(texts.copy.subject, words),
    headline: fill(texts.copy.headline, words),
    blocks: [
      text(greeting(t, to.firstName)),
      text(fill(texts.copy.text, words)),
      note(fill(texts.why, words)),
    ],
  };
}
