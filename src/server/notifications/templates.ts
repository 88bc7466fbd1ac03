import { mails } from '#locales/en/mails.ts';
import { fill } from '#locales/fill.ts';
import { lifeText } from './life-text.ts';
import type { Sender } from './sender.ts';

/** A part of a mail; text and HTML draw the same parts, so they can never say different things. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** What to do, or not to do, when something is wrong. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'button'; readonly label: string; readonly url: string };

export type MailContent = {
  readonly subject: string;
  /** Stands before the headline, large: the first thing anybody reads. */
  readonly code?: string;
  readonly headline: string;
  readonly blocks: readonly Block[];
  readonly link?: string;
};

type Person = { readonly firstName: string; readonly sender: Sender };
type TimedLink = { readonly link: string; readonly lifeMs: number };

/** What a code is for: a new account, a role for one that is there, or a sign-in. */
export type CodePurpose = 'signUp' | 'role' | 'signIn';
const CODE_TEXTS = {
  signUp: mails.codeSignUp,
  role: mails.codeRole,
  signIn: mails.codeSignIn,
} as const satisfies Record<CodePurpose, string>;

const text = (words: string): Block => ({ kind: 'text', text: words });
const note = (words: string): Block => ({ kind: 'note', text: words });
const button = (label: string, url: string): Block => ({ kind: 'button', label, url });
const named = ({ sender }: Pick<Person, 'sender'>) => ({ subtenant: sender.name });

/**
 * Every mail there is, one function a template (`/dev/mails` draws them all). Each speaks in the name of the subtenant,
 * names its time limit, and says what to do if it was not you.
 */
export const TEMPLATES = {
  code(
    to: Person & {
      readonly code: string;
      readonly purpose: CodePurpose;
      readonly lifeMs: number;
      readonly endsAt: Date;
      readonly timeZone: string;
      /** As good as the code, at sign-up. */
      readonly link: string | null;
      readonly linkLifeMs: number;
    },
  ): MailContent {
    const { code, purpose, lifeMs, endsAt, timeZone, link, linkLifeMs } = to;
    const values = { code, ...named(to) };
    return {
      subject: fill(mails.codeSubject, values),
      code,
      headline: fill(mails.codeRest, named(to)),
      blocks: [
        text(greeting(to.firstName)),
        text(fill(CODE_TEXTS[purpose], named(to))),
        text(fill(mails.codeLife, { minutes: lifeText(lifeMs), time: timeText(endsAt, timeZone) })),
        ...(link
          ? [
              text(fill(mails.codeLink, { life: lifeText(linkLifeMs) })),
              button(mails.confirm, link),
            ]
          : []),
        note(fill(mails.codeWarning, named(to))),
      ],
      ...(link && { link }),
    };
  },

  /** To finish a sign-up that was left; the code is not in it. */
  activation(to: Person & TimedLink): MailContent {
    return {
      subject: fill(mails.activationSubject, named(to)),
      headline: mails.activationHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.activationText, named(to))),
        text(fill(mails.activationLife, { life: lifeText(to.lifeMs) })),
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
        text(fill(mails.resetText, { life: lifeText(to.lifeMs) })),
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
        text(fill(mails.invitationText, { life: lifeText(to.lifeMs), ...named(to) })),
        button(mails.invitationButton, to.link),
        note(mails.invitationLater),
        note(fill(mails.invitationWarning, named(to))),
      ],
      link: to.link,
    };
  },

  passwordChanged(to: Person & { readonly help: string }): MailContent {
    return {
      subject: fill(mails.changedSubject, named(to)),
      headline: mails.changedHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(mails.changedText),
        note(fill(mails.changedWarning, { help: to.help })),
      ],
    };
  },

  /** A sign-up with the address of an account added a role (SRV-01). */
  roleAdded(to: Person & { readonly help: string }): MailContent {
    return {
      subject: fill(mails.roleAddedSubject, named(to)),
      headline: mails.roleAddedHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.roleAddedText, named(to))),
        note(fill(mails.roleAddedWarning, { help: to.help })),
      ],
    };
  },

  /** Enumeration `strict`: what the sign-up page does not say. */
  accountExists(to: Person & { readonly signIn: string; readonly help: string }): MailContent {
    return {
      subject: fill(mails.existsSubject, named(to)),
      headline: mails.existsHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.existsText, named(to))),
        button(mails.signIn, to.signIn),
        text(mails.existsForgot),
        text(fill(mails.writeToUs, { help: to.help })),
        note(mails.notYou),
      ],
    };
  },

  /** The account is switched off: a new password would not open it, a person can (PRF-09). */
  suspended(to: Person & { readonly help: string; readonly phone: string }): MailContent {
    return {
      subject: fill(mails.suspendedSubject, named(to)),
      headline: mails.suspendedHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.suspendedText, named(to))),
        text(fill(mails.suspendedCall, { phone: to.phone, help: to.help })),
        note(mails.notYou),
      ],
    };
  },

  /** Enumeration `strict`: what the forgot-password page does not say. Nobody is there to be greeted by name. */
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

  /** Told once: an account that somebody else made with this address shows itself here (security D27). */
  firstSignIn(
    to: Person & {
      readonly at: Date;
      readonly timeZone: string;
      readonly forgot: string;
      readonly help: string;
    },
  ): MailContent {
    return {
      subject: fill(mails.firstSignInSubject, named(to)),
      headline: mails.firstSignInHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(
          fill(mails.firstSignInText, {
            when: momentText(to.at, to.timeZone),
            subtenant: to.sender.name,
          }),
        ),
        text(mails.firstSignInOk),
        note(fill(mails.newSignInWarning, { help: to.help })),
        button(mails.resetButton, to.forgot),
      ],
    };
  },

  newSignIn(
    to: Person & {
      readonly at: Date;
      readonly timeZone: string;
      readonly browser: { readonly browser: string; readonly system: string } | null;
      readonly forgot: string;
      readonly help: string;
    },
  ): MailContent {
    const browser = to.browser ? fill(mails.browserOn, to.browser) : mails.browserUnknown;
    return {
      subject: fill(mails.newSignInSubject, named(to)),
      headline: mails.newSignInHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.newSignInText, { when: momentText(to.at, to.timeZone), browser })),
        text(mails.newSignInOk),
        note(fill(mails.newSignInWarning, { help: to.help })),
        button(mails.resetButton, to.forgot),
      ],
    };
  },

  /** Many wrong passwords (security R19): what happened, and that nothing has to be done. */
  passwordTried(to: Person & { readonly forgot: string; readonly help: string }): MailContent {
    return {
      subject: fill(mails.triedSubject, named(to)),
      headline: mails.triedHeadline,
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.triedText, named(to))),
        text(mails.triedNothing),
        text(mails.triedYou),
        button(mails.resetButton, to.forgot),
        note(fill(mails.triedWarning, { help: to.help })),
      ],
    };
  },

  trialEnds(
    to: Person & {
      readonly days: 7 | 1;
      readonly endsAt: Date;
      readonly signIn: string;
      readonly help: string;
    },
  ): MailContent {
    const days = to.days === 1 ? mails.day : fill(mails.days, { count: to.days });
    return {
      subject: fill(mails.trialSubject, { days, subtenant: to.sender.name }),
      headline: fill(mails.trialHeadline, { days }),
      blocks: [
        text(greeting(to.firstName)),
        text(fill(mails.trialText, { date: dateText(to.endsAt) })),
        text(mails.trialNothing),
        button(mails.signIn, to.signIn),
        text(fill(mails.writeToUs, { help: to.help })),
      ],
    };
  },
} as const;

export type TemplateName = keyof typeof TEMPLATES;

/** The plain half of a mail. */
export function mailText({ code, headline, blocks }: MailContent, sender: Sender): string {
  const parts = blocks.map((block) =>
    block.kind === 'button' ? `${block.label}\n${block.url}` : block.text,
  );
  const first = code ? `${code} ${headline}` : headline;
  return [first, ...parts, footerOf(sender)].join('\n\n');
}

export function footerOf(sender: Sender): string {
  return fill(mails.footer, named({ sender }));
}

/** A code for a phone; its last line lets browsers fill it in on our pages and nowhere else. */
export function otpSms(input: {
  readonly code: string;
  readonly lifeMs: number;
  readonly host: string;
  readonly sender: Sender;
}): string {
  const { code, lifeMs, host } = input;
  const values = { code, minutes: lifeText(lifeMs), ...named(input) };
  return `${fill(mails.codeSms, values)}\n\n@${host} #${code}`;
}

function momentText(at: Date, timeZone: string): string {
  return `${dateText(at, timeZone)}, ${timeText(at, timeZone)}`;
}

/** Made once for each time zone: making one costs more than a mail. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatFor(timeZone: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${timeZone} ${Object.keys(shape).join(' ')}`;
  const known = formats.get(name) ?? new Intl.DateTimeFormat('en-US', { ...shape, timeZone });
  formats.set(name, known);
  return known;
}

/** Nobody told us the reader's time zone: the hour is named with the operator's. */
function timeText(at: Date, timeZone: string): string {
  return formatFor(timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
    .format(at)
    .replace(/\s/g, ' ');
}

function dateText(at: Date, timeZone = 'UTC'): string {
  return formatFor(timeZone, { dateStyle: 'full' }).format(at);
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
  if (words === '') return mails.greetingNobody;
  return fill(mails.greeting, { name: [...words].slice(0, NAME_LENGTH).join('') });
}
