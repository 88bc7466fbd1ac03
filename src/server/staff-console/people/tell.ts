import type { ToldWords } from '#contract/console.ts';
import type { Resendable } from '#domain/help-desk/console-verbs.ts';
import type { ConsoleVerb } from '#domain/help-desk/console-rights.ts';
import { maskEmail, OTP_COUNTDOWN_MS, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import type { AccountChange } from '#texts/account-mails.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { openChanges } from '../../accounts/contact-changes.ts';
import type { NoticeAccount } from '../../accounts/notice-readers.ts';
import { AGREED_WAIT_MS } from '../../accounts/staff-change-store.ts';
import { later } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Message } from '../../notifications/compose-message.ts';
import { createNotifications, type Notifications } from '../../notifications/notifications.ts';

/** The mail of a verb that changes an account. */
const NOTICES: Readonly<Partial<Record<ConsoleVerb, AccountChange>>> = {
  unlock: 'staffUnlocked',
  endSessions: 'staffSignedOut',
  suspend: 'staffSuspended',
  resume: 'staffResumed',
  giveRole: 'staffRoleGiven',
  takeRole: 'staffRoleTaken',
};

/** Verbs that ask the person by a link. */
const ASKS: ReadonlySet<ConsoleVerb> = new Set([
  'correctEmail',
  'correctPhone',
  'removeKey',
  'removeAppCode',
]);

/** Queues the notice of a verb, if it has one. @param role the role that is given or taken */
export async function queueNotice(
  notifications: Pick<Notifications, 'accountNotice'>,
  db: Db,
  verb: ConsoleVerb,
  told: { readonly account: NoticeAccount; readonly role: RoleId | null; readonly cause: string },
): Promise<void> {
  const kind = NOTICES[verb];
  if (!kind) return;
  const words = { role: told.role ?? texts.theRole };
  await notifications.accountNotice(db, told.account, { kind, words }, told.cause);
}

/** Leaves addresses out: in the mail they are behind buttons. */
const linesOf = (text: string): readonly string[] =>
  text.split(/\n+/).filter((line) => !/^https?:/.test(line));

type Asked = {
  readonly account: NoticeAccount;
  readonly resendable: Resendable | null;
  readonly role: RoleId | null;
};

/** Creates the preview of mails: the words of the mail's own template, with nothing sent. */
export function createPreview(
  context: ServerContext,
  deps: Omit<Parameters<typeof createNotifications>[1], 'courier'>,
) {
  const { db, clock } = context;

  return async (verb: ConsoleVerb, asked: Asked): Promise<ToldWords | null> => {
    const { account } = asked;
    const own = await wordsOf(verb, asked);
    if (!own) return null;
    const plain = await wordsOf(verb, { ...asked, account: { ...account, language: ORIGINAL } });
    return { ...own, forStaff: plain && plain.subject !== own.subject ? plain : null };
  };

  async function wordsOf(verb: ConsoleVerb, asked: Asked) {
    const written: Message[] = [];
    const courier = { queue: async (_: Db, message: Message) => void written.push(message) };
    const notifications = createNotifications(context, { ...deps, courier });
    await write(notifications, verb, asked);
    const [mail] = written;
    return mail ? { subject: mail.subject, lines: linesOf(mail.text) } : null;
  }

  async function write(
    notifications: Notifications,
    verb: ConsoleVerb,
    { account, resendable, role }: Asked,
  ): Promise<void> {
    const { email, first_name: firstName, subtenant_id: subtenantId, language } = account;
    const to = { email, firstName, subtenantId, language };
    const link = fill(texts.linkFor, { name: firstName });
    if (verb === 'mailReset') return notifications.resetLink(db, to, link, '');
    if (verb === 'agree') {
      const until = later(clock.now(), AGREED_WAIT_MS);
      const undo = { url: link, until };
      const notice = { kind: 'staffChangeWaits', words: { date: until }, undo } as const;
      return notifications.accountNotice(db, account, notice, '');
    }
    if (verb === 'mailUndo') {
      const [first] = await openChanges(db, account.id, clock.now());
      const undo = { url: link, until: first?.undo_until ?? clock.now() };
      const words = { email: maskEmail(email) };
      return notifications.accountNotice(db, account, { kind: 'emailChanged', words, undo }, '');
    }
    if (ASKS.has(verb)) return notifications.staffChange(db, to, link, '');
    if (verb === 'invite' || (verb === 'resend' && resendable === 'invitation')) {
      return notifications.invitation(db, to, link, '');
    }
    if (verb === 'resend' && resendable === 'signUp') {
      return notifications.activationLink(db, to, link, '');
    }
    if (verb === 'resend') {
      const hidden = '••••••';
      return notifications.code(
        db,
        { ...to, phone: '' },
        {
          id: '',
          digits: { email: hidden, phone: hidden },
          medium: OTP_MEDIUM.email,
          expiresAt: later(clock.now(), OTP_COUNTDOWN_MS),
          purpose: 'signIn',
          textRefusal: null,
          link: null,
        },
      );
    }
    return queueNotice(notifications, db, verb, { account, role, cause: '' });
  }
}
