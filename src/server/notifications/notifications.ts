import type { BrowserName } from '#domain/text/browser-name.ts';
import type { DeliveryReason } from '#domain/proofs/delivery.ts';
import {
  type Channel,
  mediumChannels,
  type Contact,
  channelContact,
  type OtpMedium,
} from '#domain/proofs/otp.ts';
import { LANGUAGE_QUERY } from '#domain/text/language-choice.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import {
  ACADEMY_SUBTENANT_ID,
  DEFAULT_SUBTENANT_ID,
  PRODUCT_LOOK,
  type Subtenant,
} from '#domain/people/subtenants.ts';
import { type NoticeAccount, noticeReaders } from '../accounts/notice-readers.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { isLanguage, ORIGINAL } from '#locales/languages.ts';
import { type Account, accountLanguage, accountRecipient } from '../accounts/account-store.ts';
import { helpersToTell } from '../accounts/helper-store.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../core/context.ts';
import { mailMessage, type Message, plainMessage, smsMessage } from './compose-message.ts';
import { staffChangeSms } from './sms-text.ts';
import type { Sender } from './sender.ts';
import type { Courier } from './courier.ts';
import type { AccountNotice } from './account-notice.ts';
import { type CopiedNotice, type HelperMail, helperCopy, isCopied } from './helper-mail.ts';
import {
  type CodePurpose,
  type InvitedBy,
  type NewPassword,
  TEMPLATES,
  type StaffNote,
} from './templates.ts';
import type { MailContent } from './mail-blocks.ts';

/** The addressee of a mail, and the subtenant that sends it. */
export type MailRecipient = {
  readonly email: string;
  readonly firstName: string;
  readonly subtenantId: number;
  /** The reader's language; without one it is that of the account with this address. */
  readonly language?: string | null;
};

/** Prefixes of the keys of messages that carry a code, or a link with an effect. */
export const OPENING_MAILS = [
  'otp',
  'call',
  'activation',
  'reset',
  'invitation',
  'invited',
  'staff-change',
] as const;

type CodeNotice = {
  readonly id: string;
  /** The digits of the mail, and those of the text. */
  readonly digits: Readonly<Record<Contact, string>>;
  readonly medium: OtpMedium;
  readonly expiresAt: Date;
  readonly purpose: CodePurpose;
  /** The reason why no text is sent; `null` when it is. */
  readonly textRefusal: DeliveryReason | null;
  /** The link beside the code in a mail; `null` for none. */
  readonly link: string | null;
};

type SignInNotice = { readonly at: Date; readonly browser: BrowserName | null };
type TrialNotice = { readonly days: 7 | 1; readonly endsAt: Date };

/** Queues the messages to people, each in the transaction of its cause, in the subtenant's name. */
export type Notifications = ReturnType<typeof createNotifications>;

type Addressee = Omit<MailRecipient, 'firstName'>;

type Deps = {
  readonly courier: Pick<Courier, 'queue'>;
  readonly subtenantOf: (id: number, db: Db) => Promise<Subtenant>;
  /** Returns the address of a subtenant's logo for mails. */
  readonly logoOf: (logoUrl: string) => Sender['logo'];
};

/** Creates the composer and queue of notifications. */
export function createNotifications({ clock, config }: ServerContext, deps: Deps) {
  const { courier, subtenantOf, logoOf } = deps;
  const { publicUrl, timers } = config;

  /** Never the language of the request: a stranger could choose it (decision 201). */
  async function senderOf(to: Addressee, db: Db, look?: Subtenant): Promise<Sender> {
    const subtenant = look ?? (await subtenantOf(to.subtenantId, db));
    const { id, name, logoUrl, accent, language } = subtenant;
    const own = to.language ?? (await accountLanguage(db, to.email));
    const known = isLanguage(own) ? own : language;
    return {
      id,
      name,
      logo: logoOf(logoUrl),
      accent,
      help: config.help,
      language: known ?? ORIGINAL,
      hasLanguage: known !== undefined,
    };
  }

  /** Returns the address of a page of the portal, with the sender's branding. */
  const pageOf = (screen: ScreenName, sender: Sender) =>
    ofSender(`${publicUrl}${pathOf(screen)}?subtenantId=${sender.id}`, sender);

  /** Returns what a mail is written from: each template takes of it what it needs. */
  const givenTo = <To extends Addressee>(to: To, sender: Sender) => ({
    ...to,
    sender,
    timeZone: config.timeZone,
    forgot: pageOf('forgotPassword', sender),
    signIn: pageOf('signIn', sender),
    signUp: pageOf('signUp', sender),
    people: pageOf('myPeople', sender),
  });
  type Given<To extends Addressee> = ReturnType<typeof givenTo<To>>;

  async function mail<To extends Addressee>(
    db: Db,
    to: To,
    key: string,
    write: (given: Given<To>) => MailContent,
    look?: Subtenant,
  ): Promise<void> {
    const sender = await senderOf(to, db, look);
    const message = mailMessage(to.email, write(givenTo(to, sender)), sender);
    await courier.queue(db, message, { idempotencyKey: key, subtenantId: to.subtenantId });
  }

  /** Mails the trusted helpers of a member a copy of a security notice: nothing else does (HLP-16). */
  async function copy(
    db: Db,
    member: { readonly id?: number; readonly email: string },
    kind: CopiedNotice,
    key: string,
  ): Promise<void> {
    if (!isCopied(kind)) return;
    for (const helper of await helpersToTell(db, member, clock.now())) {
      const { id, helperEmail: email, helperFirstName, helperSubtenant: subtenantId } = helper;
      if (email === null || subtenantId === null) continue;
      const person = { firstName: helperFirstName ?? '', member: helper.memberName, kind };
      await mail(db, { email, subtenantId }, `helper-copy:${id}:${key}`, ({ sender }) =>
        helperCopy({ ...person, sender }),
      );
    }
  }

  /** A mail that says nothing but its kind. */
  const plain =
    (prefix: string, write: (given: Given<MailRecipient>) => MailContent) =>
    (db: Db, to: MailRecipient, cause: string) =>
      mail(db, to, `${prefix}:${cause}`, write);

  /** A mail about a link, which is good for so long. */
  const linked =
    (
      prefix: string,
      write: (given: Given<MailRecipient> & { link: string; lifeMs: number }) => MailContent,
      lifeMs = 0,
    ) =>
    (db: Db, to: MailRecipient, url: string, cause: string) =>
      mail(db, to, `${prefix}:${cause}`, (given) =>
        write({ ...given, link: ofSender(url, given.sender), lifeMs }),
      );

  return {
    async code(db: Db, to: MailRecipient & { readonly phone: string }, code: CodeNotice) {
      const sender = await senderOf(to, db);
      const { digits, purpose } = code;
      const link = code.link && ofSender(code.link, sender);
      const beside = { link, linkLifeMs: timers.activationLinkMs };
      const lifeMs = code.expiresAt.getTime() - clock.now().getTime();
      const ends = { endsAt: code.expiresAt, timeZone: config.timeZone };
      const writtenFor = (channel: Channel): Message => {
        const given = { code: digits[channelContact(channel)], lifeMs, sender };
        if (channel !== 'email') {
          return smsMessage(channel, to.phone, { ...given, host: new URL(publicUrl).hostname });
        }
        const { email, firstName } = to;
        return mailMessage(
          email,
          TEMPLATES.code({ ...given, ...ends, ...beside, firstName, purpose }),
          sender,
        );
      };
      for (const channel of mediumChannels(code.medium)) {
        await courier.queue(db, writtenFor(channel), {
          idempotencyKey: `otp:${code.id}:${channel}`,
          subtenantId: to.subtenantId,
          code: {
            otpId: code.id,
            expiresAt: code.expiresAt,
            refusal: channel === 'email' ? null : code.textRefusal,
          },
        });
      }
    },
    activationLink: linked('activation', TEMPLATES.activation, timers.activationLinkMs),
    resetLink: linked('reset', TEMPLATES.reset, timers.resetLinkMs),
    /** For an account that an operator created. */
    invitation: linked('invitation', TEMPLATES.invitation, timers.invitationMs),
    /** For a person without an account. */
    invited: (db: Db, to: MailRecipient, by: Omit<InvitedBy, 'timeZone'>, cause: string) =>
      mail(db, to, `invited:${cause}`, (given) =>
        TEMPLATES.invited({ ...given, ...by, link: ofSender(by.link, given.sender) }),
      ),
    /** In the product's own look, so that the owner of an account learns of no house; counted as the other one is. */
    invitedTaken: (db: Db, { email, subtenantId }: Addressee, cause: string) => {
      const to = { email, firstName: '', subtenantId };
      return mail(db, to, `invited-taken:${cause}`, TEMPLATES.invitedTaken, PRODUCT_LOOK);
    },
    /** Asks the person of an address about a change that the help desk was asked for. */
    staffChange: linked('staff-change', TEMPLATES.staffChange),
    /** In the name of the subtenant of the sign-up: there the owner can ask (decision 057). */
    roleAdded: plain('role', TEMPLATES.roleAdded),
    accountExists: plain('exists', TEMPLATES.accountExists),
    byOrganisation: (db: Db, to: MailRecipient, organisation: string, cause: string) =>
      mail(db, to, `by-organisation:${cause}`, (given) =>
        TEMPLATES.byOrganisation({ ...given, organisation }),
      ),
    suspended: plain('suspended', TEMPLATES.suspended),
    nothingFound: (db: Db, to: Addressee, cause: string): Promise<void> =>
      mail(db, to, `nothing:${cause}`, TEMPLATES.nothingFound),
    /** Sent once for each account. */
    firstSignIn: (db: Db, to: MailRecipient & { readonly id: number }, at: Date): Promise<void> =>
      mail(db, to, `first-sign-in:${to.id}`, (given) => TEMPLATES.firstSignIn({ ...given, at })),
    async passwordChanged(db: Db, to: MailRecipient, cause: string, what?: NewPassword) {
      const key = `reset-done:${cause}`;
      await mail(db, to, key, (given) => TEMPLATES.passwordChanged({ ...given, ...what }));
      await copy(db, to, 'passwordChanged', key);
    },
    async newSignIn(db: Db, to: MailRecipient, seen: SignInNotice, cause: string): Promise<void> {
      const key = `new-sign-in:${cause}`;
      await mail(db, to, key, (given) => TEMPLATES.newSignIn({ ...given, ...seen }));
      await copy(db, to, 'newSignIn', key);
    },
    async passwordTried(db: Db, to: MailRecipient, cause: string): Promise<void> {
      const key = `password-tried:${cause}`;
      await mail(db, to, key, TEMPLATES.passwordTried);
      await copy(db, to, 'passwordTried', key);
    },
    /** Tells the owner of a change, at each address that still gets notices (ACC-04). */
    async accountNotice(db: Db, account: NoticeAccount, notice: AccountNotice, cause: string) {
      const { first_name: firstName, subtenant_id: subtenantId, language } = account;
      for (const { email, mayUndo } of await noticeReaders(db, account, clock.now())) {
        const told = { ...notice, undo: mayUndo ? notice.undo : null };
        const to = { email, firstName, subtenantId, language };
        await mail(db, to, `account:${cause}:${hashToken(email)}`, (given) =>
          TEMPLATES.accountNotice({ ...given, notice: told }),
        );
      }
      await copy(db, account, notice.kind, `account:${cause}`);
    },
    /** Tells a phone of an account of a step of such a change, with the link that stops it where there is one. */
    async staffChangeText(
      db: Db,
      { phone, ...to }: MailRecipient & { readonly phone: string },
      { kind, undo }: AccountNotice,
      cause: string,
    ): Promise<void> {
      const sender = await senderOf(to, db);
      const { subtenantId } = to;
      const link = undo ? ofSender(undo.url, sender) : null;
      await courier.queue(db, plainMessage('sms', phone, staffChangeSms(sender, kind, link)), {
        idempotencyKey: `staff-change-text:${cause}:${kind}:${hashToken(phone)}`,
        subtenantId,
      });
    },
    /** Tells an operator, or an administrator of a house. */
    staffNote: (db: Db, to: MailRecipient, note: StaffNote, cause: string): Promise<void> =>
      mail(db, to, `staff-note:${cause}`, (given) => TEMPLATES.staffNote({ ...given, note })),
    /** Mails a helper, or the address of a person who is asked to be one. */
    helperMail: (db: Db, to: MailRecipient, written: HelperMail, cause: string): Promise<void> =>
      mail(db, to, `helper:${cause}`, (given) => TEMPLATES.helper({ ...given, mail: written })),
    trialEnds(db: Db, account: Account, trial: TrialNotice): Promise<void> {
      const to = { ...accountRecipient(account), subtenantId: ACADEMY_SUBTENANT_ID };
      const cause = `trial:${account.id}:${trial.days}:${trial.endsAt.getTime()}`;
      return mail(db, to, cause, (given) => TEMPLATES.trialEnds({ ...given, ...trial }));
    },
  };
}

/** Returns the address of a page, in the look of the house that sends it, and in the reader's language if that is known. */
function ofSender(url: string, { id, language, hasLanguage }: Sender): string {
  // The console shows a mail without its link.
  if (!URL.canParse(url)) return url;
  const to = new URL(url);
  // The default house is what a page without one has.
  if (id !== DEFAULT_SUBTENANT_ID) to.searchParams.set('subtenantId', String(id));
  if (hasLanguage) to.searchParams.set(LANGUAGE_QUERY, language);
  return to.href;
}
