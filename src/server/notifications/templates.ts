import type { BrowserName } from '#domain/text/browser-name.ts';
import { type RoleId, ROLES } from '#domain/people/roles.ts';
import { spanText, type Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { lifeText } from './life-text.ts';
import type { Sender } from './sender.ts';
import { dateText, timeText, whenText } from './moments.ts';
import {
  type Block,
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
import { browserText, deviceText } from '../accounts/device-text.ts';
import { codeGroups } from './mail-text.ts';
import { accountNoticeMail } from './account-notice.ts';
import { helperCopy, helperMail } from './helper-mail.ts';
import { greeting } from './greeting.ts';

/** A note to staff, in English as the console is. */
export type StaffNote = {
  readonly subject: string;
  readonly lines: readonly string[];
  /** Addresses of pictures. */
  readonly pictures?: readonly string[];
};

export type NewPassword = {
  /** The ways in that ended with the old password, by name. */
  readonly removed?: readonly string[];
  /** The account had none before. */
  readonly isFirst?: boolean;
};

type NewSession = Person & {
  readonly at: Date;
  readonly timeZone: string | null;
  readonly forgot: string;
};

/** The invitation of a colleague. */
export type InvitedBy = {
  readonly by: string;
  /** A word stands for a role that is not chosen yet. */
  readonly role: RoleId | string;
  readonly until: Date;
  readonly timeZone: string | null;
  readonly link: string;
};

type TimedLink = { readonly link: string; readonly lifeMs: number };

/** The purpose of a code: a new account, a role for an existing one, or a sign-in. */
export type CodePurpose = 'signUp' | 'role' | 'signIn' | 'stepUp';

const codeTexts = ({ mails }: Texts): Readonly<Record<CodePurpose, string>> => ({
  signUp: mails.codeSignUp,
  role: mails.codeRole,
  signIn: mails.codeSignIn,
  stepUp: mails.codeStepUp,
});

/** Returns a template that greets the reader first. */
const template =
  <To extends Person>(write: (t: Texts, to: To, mails: Texts['mails']) => MailContent) =>
  (to: To): MailContent => {
    const t = mailTexts(to);
    const content = write(t, to, t.mails);
    return { ...content, blocks: [text(greeting(t, to.firstName)), ...content.blocks] };
  };

const nothingFound = template<Person & { readonly signUp: string }>(({ mails }: Texts, to) => ({
  subject: fill(mails.nothingSubject, named(to)),
  headline: mails.nothingHeadline,
  blocks: [
    text(fill(mails.nothingText, named(to))),
    text(mails.nothingOther),
    button(mails.signUp, to.signUp),
    note(mails.notYou),
  ],
}));

/**
 * All mails, one function a template (`/dev/mails` shows them). Each is sent in the subtenant's name, names its time
 * limit, and says what to do if the reader did not cause it.
 */
export const TEMPLATES = {
  code: template<
    Person & {
      readonly code: string;
      readonly purpose: CodePurpose;
      readonly lifeMs: number;
      readonly endsAt: Date;
      readonly timeZone: string | null;
      /** A link that is as good as the code, at sign-up. */
      readonly link: string | null;
      readonly linkLifeMs: number;
    }
  >((t, to, mails) => {
    const { code, purpose, lifeMs, endsAt, timeZone, link, linkLifeMs } = to;
    const typed = (it: string) => fill(codeTexts(t)[purpose], { code: it, ...named(to) });
    const life = { minutes: lifeText(t, lifeMs) };
    return {
      subject: fill(mails.codeSubject, { code, ...named(to) }),
      code,
      headline: fill(mails.codeRest, named(to)),
      blocks: [
        { kind: 'text', text: typed(mails.thisCode), plain: typed(codeGroups(code).join(' ')) },
        text(
          timeZone === null
            ? fill(mails.codeLife, { ...life })
            : fill(mails.codeLifeUntil, { ...life, time: timeText(t, endsAt, timeZone) }),
        ),
        { kind: 'boxes' },
        note(mails.codeWarning),
        ...(link
          ? [
              text(mails.codeOr),
              pressed(t, (words) =>
                fill(mails.activationLife, { ...words, life: lifeText(t, linkLifeMs) }),
              ),
              button(mails.confirm, link),
            ]
          : []),
        help,
      ],
      ...(link && { link }),
    };
  }),

  /** To finish an interrupted sign-up; the code is not in it. */
  activation: template<Person & TimedLink>((t, to, mails) => ({
    subject: fill(mails.activationSubject, named(to)),
    headline: mails.activationHeadline,
    blocks: [
      text(fill(mails.activationText, named(to))),
      pressed(t, (words) => fill(mails.activationLife, { ...words, life: lifeText(t, to.lifeMs) })),
      button(mails.confirm, to.link),
      note(mails.activationWarning),
    ],
    link: to.link,
  })),

  reset: template<Person & TimedLink>((t, to, mails) => ({
    subject: fill(mails.resetSubject, named(to)),
    headline: mails.resetHeadline,
    blocks: [
      pressed(t, (words) => fill(mails.resetText, { ...words, life: lifeText(t, to.lifeMs) })),
      button(mails.resetButton, to.link),
      note(mails.resetWarning),
    ],
    link: to.link,
  })),

  invitation: template<Person & TimedLink>((t, to, mails) => ({
    subject: fill(mails.invitationSubject, named(to)),
    headline: mails.invitationHeadline,
    blocks: [
      pressed(t, (words) =>
        fill(mails.invitationText, { ...words, life: lifeText(t, to.lifeMs), ...named(to) }),
      ),
      button(mails.invitationButton, to.link),
      pressed(t, (words) => fill(mails.invitationLater, { ...words })),
      note(fill(mails.invitationWarning, named(to))),
    ],
    link: to.link,
  })),

  /** To an address without an account: a colleague invites its person. */
  invited: template<Person & InvitedBy>((t, to, mails) => {
    const role =
      typeof to.role === 'string' ? to.role : (t.roleNames[to.role] ?? ROLES[to.role].key);
    const words = { ...named(to), by: to.by, role };
    const date = dateText(t, to.until, to.timeZone);
    return {
      subject: fill(mails.invitedSubject, words),
      headline: fill(mails.invitedHeadline, words),
      blocks: [
        text(fill(mails.invitedText, words)),
        pressed(t, (press) => fill(mails.invitedNext, { ...press, date })),
        button(mails.invitedButton, to.link),
        note(fill(mails.invitedWarning, words)),
      ],
      link: to.link,
    };
  }),

  /** To the address of an account that a house wanted to invite: it names neither the house nor the sender. */
  invitedTaken: template(({ mails }: Texts, to) => ({
    subject: fill(mails.takenSubject, named(to)),
    headline: mails.takenHeadline,
    blocks: [
      text(mails.takenText),
      text(mails.takenStays),
      text(mails.takenOther),
      note(mails.takenWarning),
      help,
    ],
  })),

  /** What operators and administrators of a house are told. */
  staffNote: template<Person & { readonly note: StaffNote }>((_, { note: it, sender }) => ({
    subject: `${sender.name}: ${it.subject}`,
    headline: it.subject,
    blocks: [
      ...it.lines.map(text),
      ...(it.pictures ?? []).map((url): Block => ({ kind: 'picture', url })),
    ],
  })),

  /** To the mailbox that a change by the help desk is about. */
  staffChange: template<Person & { readonly link: string }>((t, to, mails) => ({
    subject: fill(mails.staffChangeSubject, named(to)),
    headline: mails.staffChangeHeadline,
    blocks: [
      pressed(t, (words) => fill(mails.staffChangeText, { ...words, ...named(to) })),
      button(mails.staffChangeButton, to.link),
      note(mails.staffChangeWarning),
      help,
    ],
    link: to.link,
  })),

  passwordChanged: template<Person & NewPassword>((t, to, mails) => {
    const removed = (to.removed ?? []).map((name) => deviceText(t, name));
    const names = new Intl.ListFormat(t.language).format(removed);
    return {
      subject: to.isFirst
        ? fill(mails.firstPasswordSubject, named(to))
        : fill(mails.changedSubject, named(to)),
      headline: to.isFirst ? mails.firstPasswordHeadline : mails.changedHeadline,
      blocks: [
        text(to.isFirst ? mails.firstPasswordText : mails.changedText),
        ...(removed.length > 0 ? [text(fill(mails.changedRemoved, { names }))] : []),
        note(mails.wasNotYou),
        help,
      ],
    };
  }),

  /** A sign-up with the address of an account added a role (SRV-01). */
  roleAdded: template(({ mails }: Texts, to) => ({
    subject: fill(mails.roleAddedSubject, named(to)),
    headline: fill(mails.roleAddedHeadline, named(to)),
    blocks: [text(fill(mails.roleAddedText, named(to))), note(mails.wasNotYou), help],
  })),

  /** Enumeration `strict`: the answer that the sign-up page does not give. */
  accountExists: template<Person & { readonly signIn: string }>(({ mails }: Texts, to) => ({
    subject: fill(mails.existsSubject, named(to)),
    headline: mails.existsHeadline,
    blocks: [
      text(fill(mails.existsText, named(to))),
      button(mails.signIn, to.signIn),
      text(mails.existsForgot),
      note(mails.notYou),
    ],
  })),

  /** The person of an organisation asked for a password or an account: the mail says which button signs in. */
  byOrganisation: template<Person & { readonly signIn: string; readonly organisation: string }>(
    ({ mails }: Texts, to) => {
      const words = { ...named(to), organization: to.organisation };
      return {
        subject: fill(mails.byOrganisationSubject, words),
        headline: fill(mails.byOrganisationHeadline, words),
        blocks: [
          text(fill(mails.byOrganisationText, words)),
          text(fill(mails.byOrganisationButton, words)),
          button(mails.signIn, to.signIn),
          note(mails.notYou),
        ],
      };
    },
  ),

  /** The account is suspended: a new password would not help, the help desk can (PRF-09). */
  suspended: template(({ mails }: Texts, to) => ({
    subject: fill(mails.suspendedSubject, named(to)),
    headline: mails.suspendedHeadline,
    blocks: [
      text(fill(mails.suspendedText, named(to))),
      text(mails.suspendedCall),
      help,
      note(mails.notYou),
    ],
  })),

  /** Enumeration `strict`: the answer that the forgot-password page does not give. There is no name to greet. */
  nothingFound: (to: { readonly sender: Sender; readonly signUp: string }): MailContent =>
    nothingFound({ ...to, firstName: '' }),

  /** Sent once: it reveals an account that another person made with this address (security D27). */
  firstSignIn: template<NewSession>((t, to, mails) => {
    const when = whenText(t, to.at, to.timeZone);
    return {
      subject: fill(mails.firstSignInSubject, named(to)),
      headline: mails.firstSignInHeadline,
      blocks: [
        text(fill(mails.firstSignInText, { when, ...named(to) })),
        text(mails.firstSignInOk),
        note(mails.newSignInWarning),
        help,
        button(mails.resetButton, to.forgot),
      ],
    };
  }),

  newSignIn: template<NewSession & { readonly browser: BrowserName | null }>((t, to, mails) => {
    const browser = to.browser ? browserText(t, to.browser) : mails.browserUnknown;
    const when = whenText(t, to.at, to.timeZone);
    return {
      subject: fill(mails.newSignInSubject, named(to)),
      headline: mails.newSignInHeadline,
      blocks: [
        text(fill(mails.newSignInText, { when, browser })),
        text(mails.newSignInOk),
        note(mails.newSignInWarning),
        help,
        button(mails.resetButton, to.forgot),
      ],
    };
  }),

  /** Many wrong passwords (security R19): the event, and that no action is needed. */
  passwordTried: template<Person & { readonly forgot: string }>(({ mails }: Texts, to) => ({
    subject: fill(mails.triedSubject, named(to)),
    headline: mails.triedHeadline,
    blocks: [
      text(fill(mails.triedText, named(to))),
      text(mails.triedNothing),
      text(mails.triedYou),
      button(mails.resetButton, to.forgot),
      note(mails.triedWarning),
      help,
    ],
  })),

  accountNotice: accountNoticeMail,

  helper: helperMail,

  helperCopy,

  trialEnds: template<
    Person & {
      readonly days: 7 | 1;
      readonly endsAt: Date;
      readonly timeZone: string | null;
      readonly signIn: string;
    }
  >((t, to, mails) => {
    return {
      subject: fill(mails.trialSubject, { days: spanText(t, to.days, 'day'), ...named(to) }),
      headline: fill(mails.trialHeadline, { days: spanText(t, to.days, 'day') }),
      blocks: [
        text(fill(mails.trialText, { date: dateText(t, to.endsAt, to.timeZone) })),
        text(mails.trialCost),
        button(mails.signIn, to.signIn),
        text(mails.trialQuestion),
        help,
      ],
    };
  }),
} as const;

export type TemplateName = keyof typeof TEMPLATES;
