import { mails } from '#texts/mails.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';
import { language } from '#texts/language.ts';
import { lifeText } from './life-text.ts';
import type { Sender } from './sender.ts';

/** A part of a mail; text and HTML render the same parts, so they can never differ. */
export type Block =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Words of the plain half, where they differ: it has links in place of buttons, and groups a code by a space. */
      readonly plain?: string;
    }
  /** Advice for the case that something is wrong. */
  | { readonly kind: 'note'; readonly text: string }
  /** The phone of the help desk, large, and then its address. */
  | { readonly kind: 'help' }
  | { readonly kind: 'button'; readonly label: string; readonly url: string };

export type MailContent = {
  readonly subject: string;
  /** Stands before the headline, large, as the first thing to read. */
  readonly code?: string;
  readonly headline: string;
  readonly blocks: readonly Block[];
  readonly link?: string;
};

type Person = { readonly firstName: string; readonly sender: Sender };
type TimedLink = { readonly link: string; readonly lifeMs: number };

/** The purpose of a code: a new account, a role for an existing one, or a sign-in. */
export type CodePurpose = 'signUp' | 'role' | 'signIn';
const CODE_TEXTS = {
  signUp: mails.codeSignUp,
  role: mails.codeRole,
  signIn: mails.codeSignIn,
} as const satisfies Record<CodePurpose, string>;

const text = (words: string): Block => ({ kind: 'text', text: words });
const help: Block = { kind: 'help' };
const note = (words: string): Block => ({ kind: 'note', text: words });
const button = (label: string, url: string): Block => ({ kind: 'button', label, url });
const PRESS = { press: mails.pressButton, button: mails.theButton };
const OPEN = { press: mails.openLink, button: mails.theLink };
/** A sentence about the button below it, which is a link in the plain half. */
const pressed = (write: (words: typeof PRESS | typeof OPEN) => string): Block => ({
  kind: 'text',
  text: write(PRESS),
  plain: write(OPEN),
});
const named = ({ sender }: Pick<Person, 'sender'>) => ({ subtenant: sender.name });

/**
 * All mails, one function a template (`/dev/mails` shows them). Each is sent in the subtenant's name, names its time
 * limit, and says what to do if the reader did not cause it.
 */
export const TEMPLATES = {
  code(
    to: Person & {
      readonly code: string;
      readonly purpose: CodePurpose;
      readonly lifeMs: number;
      readonly endsAt: Date;
      readonly timeZone: string | null;
      /** A link that is as good as the code, at sign-up. */
      readonly link: string | null;
      readonly linkLifeMs: number;
    },
  ): MailContent {
    const { code, purpose, lifeMs, endsAt, timeZone, link, linkLifeMs } = to;
    const typed = (it: string) => fill(CODE_TEXTS[purpose], { code: it, ...named(to) });
    const life = { minutes: lifeText(lifeMs) };
    return {
      subject: fill(mails.codeSubject, { code, ...named(to) }),
      code,
      headline: fill(mails.codeRest, named(to)),
      blocks: [
        text(greeting(to.firstName)),
        { kind: 'text', text: typed(mails.thisCode), plain: typed(groupsOf(code).join(' ')) },
        text(
          timeZone === null
            ? fill(mails.codeLife, { ...life })
            : fill(mails.codeLifeUntil, { ...life, time: timeText(endsAt, timeZone) }),
        ),
        note(mails.codeWarning),
        ...(link
          ? [
              text(mails.codeOr),
              pressed((words) =>
                fill(mails.activationLife, { ...words, life: lifeText(linkLifeMs) }),
              ),
              button(mails.confirm, link),
            ]
          : []),
      ],
      ...(link && { link }),
    };
  },

  /** To finish an interrupted sign-up; the code is not in it. */
  activation(to: Person & TimedLink): MailContent {
    return {
      subject: fill(mails.activationSubject, named(to)),
      headline: mails.activationHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.activationText, named(to))),
        pressed((words) => fill(mails.activationLife, { ...words, life: lifeText(to.lifeMs) })),
        button(mails.confirm, to.link),
        note(mails.activationWarning),
      ],
      link: to.link,
    };
  },

  reset(to: Person & TimedLink): MailContent {
    return {
      subject: fill(mails.resetSubject, named(to)),
      headline: mails.resetHeadline,
      blocks: [
        text(greeting(to.firstName)),
        pressed((words) => fill(mails.resetText, { ...words, life: lifeText(to.lifeMs) })),
        button(mails.resetButton, to.link),
        note(mails.resetWarning),
      ],
      link: to.link,
    };
  },

  invitation(to: Person & TimedLink): MailContent {
    return {
      subject: fill(mails.invitationSubject, named(to)),
      headline: mails.invitationHeadline,
      blocks: [
        text(greeting(to.firstName)),
        pressed((words) =>
          fill(mails.invitationText, { ...words, life: lifeText(to.lifeMs), ...named(to) }),
        ),
        button(mails.invitationButton, to.link),
        pressed((words) => fill(mails.invitationLater, { ...words })),
        note(fill(mails.invitationWarning, named(to))),
      ],
      link: to.link,
    };
  },

  passwordChanged(to: Person): MailContent {
    return {
      subject: fill(mails.changedSubject, named(to)),
      headline: mails.changedHeadline,
      blocks: [text(greeting(to.firstName)), text(mails.changedText), note(mails.wasNotYou), help],
    };
  },

  /** A sign-up with the address of an account added a role (SRV-01). */
  roleAdded(to: Person): MailContent {
    return {
      subject: fill(mails.roleAddedSubject, named(to)),
      headline: fill(mails.roleAddedHeadline, named(to)),
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.roleAddedText, named(to))),
        note(mails.wasNotYou),
        help,
      ],
    };
  },

  /** Enumeration `strict`: the answer that the sign-up page does not give. */
  accountExists(to: Person & { readonly signIn: string }): MailContent {
    return {
      subject: fill(mails.existsSubject, named(to)),
      headline: mails.existsHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.existsText, named(to))),
        button(mails.signIn, to.signIn),
        text(mails.existsForgot),
        note(mails.notYou),
      ],
    };
  },

  /** The account is suspended: a new password would not help, the help desk can (PRF-09). */
  suspended(to: Person): MailContent {
    return {
      subject: fill(mails.suspendedSubject, named(to)),
      headline: mails.suspendedHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.suspendedText, named(to))),
        text(mails.suspendedCall),
        help,
        note(mails.notYou),
      ],
    };
  },

  /** Enumeration `strict`: the answer that the forgot-password page does not give. There is no name to greet. */
  nothingFound(to: { readonly sender: Sender; readonly signUp: string }): MailContent {
    return {
      subject: fill(mails.nothingSubject, named(to)),
      headline: mails.nothingHeadline,
      blocks: [
        text(mails.greetingNobody),
        text(fill(mails.nothingText, named(to))),
        text(mails.nothingOther),
        button(mails.signUp, to.signUp),
        note(mails.notYou),
      ],
    };
  },

  /** Sent once: it reveals an account that another person made with this address (security D27). */
  firstSignIn(
    to: Person & {
      readonly at: Date;
      readonly timeZone: string | null;
      readonly forgot: string;
    },
  ): MailContent {
    return {
      subject: fill(mails.firstSignInSubject, named(to)),
      headline: mails.firstSignInHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(
          fill(mails.firstSignInText, {
            when: whenText(to.at, to.timeZone),
            subtenant: to.sender.name,
          }),
        ),
        text(mails.firstSignInOk),
        note(mails.newSignInWarning),
        help,
        button(mails.resetButton, to.forgot),
      ],
    };
  },

  newSignIn(
    to: Person & {
      readonly at: Date;
      readonly timeZone: string | null;
      readonly browser: { readonly browser: string; readonly system: string } | null;
      readonly forgot: string;
    },
  ): MailContent {
    const browser = to.browser ? fill(mails.browserOn, to.browser) : mails.browserUnknown;
    return {
      subject: fill(mails.newSignInSubject, named(to)),
      headline: mails.newSignInHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.newSignInText, { when: whenText(to.at, to.timeZone), browser })),
        text(mails.newSignInOk),
        note(mails.newSignInWarning),
        help,
        button(mails.resetButton, to.forgot),
      ],
    };
  },

  /** Many wrong passwords (security R19): the event, and that no action is needed. */
  passwordTried(to: Person & { readonly forgot: string }): MailContent {
    return {
      subject: fill(mails.triedSubject, named(to)),
      headline: mails.triedHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.triedText, named(to))),
        text(mails.triedNothing),
        text(mails.triedYou),
        button(mails.resetButton, to.forgot),
        note(mails.triedWarning),
        help,
      ],
    };
  },

  trialEnds(
    to: Person & {
      readonly days: 7 | 1;
      readonly endsAt: Date;
      readonly timeZone: string | null;
      readonly signIn: string;
    },
  ): MailContent {
    const days = spanText(to.days, 'day');
    return {
      subject: fill(mails.trialSubject, { days, subtenant: to.sender.name }),
      headline: fill(mails.trialHeadline, { days }),
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.trialText, { date: dateText(to.endsAt, to.timeZone) })),
        text(mails.trialCost),
        button(mails.signIn, to.signIn),
        text(mails.trialQuestion),
        help,
      ],
    };
  },
} as const;

export type TemplateName = keyof typeof TEMPLATES;

/** Returns the plain half of a mail. */
export function mailText({ code, headline, blocks }: MailContent, sender: Sender): string {
  const first = code ? `${code} ${headline}` : headline;
  const parts = blocks.map((block) => plainText(block, sender));
  const { phone, email } = sender.help;
  const call = fill(mails.callUs, { phone });
  const footer = `${mails.help} ${call}\n${mails.orWrite} ${email}`;
  return [first, ...parts, footer, footerOf(sender)].join('\n\n');
}

function plainText(block: Block, { help: { phone, email } }: Sender): string {
  switch (block.kind) {
    case 'text':
      return block.plain ?? block.text;
    case 'note':
      return block.text;
    case 'help':
      return `${fill(mails.callUs, { phone })}\n${mails.orWrite} ${email}`;
    case 'button':
      return `${block.label}\n${block.url}`;
  }
}

/** Returns the footer of a mail in the sender's name. */
export function footerOf(sender: Sender): string {
  return fill(mails.footer, named({ sender }));
}

/** Returns the digits of a code as people read them: two groups of three. */
export function groupsOf(code: string): readonly [string, string] {
  return [code.slice(0, 3), code.slice(3)];
}

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
  const values = { code, minutes: lifeText(lifeMs), ...named(input) };
  const last = `\n\n@${host} #${code}`;
  const whole = fill(mails.codeSms, { ...values }) + last;
  return whole.length > SMS_LENGTH ? fill(mails.codeSmsShort, { ...values }) + last : whole;
}

/** Returns a clock time only in a zone that the operator configured: the reader's zone is unknown. */
function whenText(at: Date, timeZone: string | null): string {
  if (timeZone === null) return mails.whenJustNow;
  return fill(mails.whenAt, { date: dateText(at, timeZone), time: timeText(at, timeZone) });
}

/** Created once for each time zone: creating one costs more than a mail. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatFor(timeZone: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${timeZone} ${Object.keys(shape).join(' ')}`;
  const known = formats.get(name) ?? new Intl.DateTimeFormat(language, { ...shape, timeZone });
  formats.set(name, known);
  return known;
}

function timeText(at: Date, timeZone: string): string {
  return formatFor(timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
    .format(at)
    .replace(/\s/g, ' ');
}

function dateText(at: Date, timeZone: string | null): string {
  return formatFor(timeZone ?? 'UTC', { dateStyle: 'full' }).format(at);
}

const NAME_LENGTH = 50;

/**
 * Any person can sign up with any address and name: removes parts of a name that mail programs would turn into a link,
 * or that imitate a text of ours.
 */
function greeting(name: string): string {
  const words = name
    .replace(/[^\p{L}\p{M}\p{N}\p{Pd} .'’]/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return mails.greetingNobody;
  return fill(mails.greeting, { name: [...words].slice(0, NAME_LENGTH).join('') });
}
