import type { ToldWords } from '#contract/console.ts';
import type { Resendable } from '#domain/help-desk/console-verbs.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { consoleTexts as texts } from '#locales/operator/console.ts';
import type { NoticeAccount } from '../../accounts/notice-readers.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import type { Message } from '../../notifications/compose-message.ts';
import { createNotifications, type Notifications } from '../../notifications/notifications.ts';
import type { Verb } from './verbs.ts';

type Mails = Pick<Verb, 'notice' | 'mail'>;

/** Queues the notice of a verb, if it has one. @param role the role that is given or taken */
export async function queueNotice(
  notifications: Pick<Notifications, 'accountNotice'>,
  db: Db,
  { notice: kind }: Mails,
  told: { readonly account: NoticeAccount; readonly role: RoleId | null; readonly cause: string },
): Promise<void> {
  if (!kind) return;
  const words = { role: told.role ?? texts.theRole };
  await notifications.accountNotice(db, told.account, { kind, words }, told.cause);
}

/** Leaves addresses out: in the mail they are behind buttons. */
const previewLines = (text: string): readonly string[] =>
  text.split(/\n+/).filter((line) => !/^https?:/.test(line));

type Asked = {
  readonly account: NoticeAccount;
  readonly resendable: Resendable | null;
  readonly role: RoleId | null;
};

/** Creates the preview of mails: the words of the mail's own template, with nothing sent. */
export function createMailPreview(
  context: ServerContext,
  deps: Omit<Parameters<typeof createNotifications>[1], 'courier'>,
) {
  const { db, clock } = context;

  return async (mails: Mails, asked: Asked): Promise<ToldWords | null> => {
    const { account } = asked;
    const own = await wordsOf(mails, asked);
    if (!own) return null;
    const plain = await wordsOf(mails, { ...asked, account: { ...account, language: ORIGINAL } });
    return { ...own, forStaff: plain && plain.subject !== own.subject ? plain : null };
  };

  async function wordsOf(mails: Mails, { account, resendable, role }: Asked) {
    const written: Message[] = [];
    const courier = { queue: async (_: Db, message: Message) => void written.push(message) };
    const notifications = createNotifications(context, { ...deps, courier });
    const { email, first_name: firstName, subtenant_id: subtenantId, language } = account;
    const to = { email, firstName, subtenantId, language };
    const link = fill(texts.linkFor, { name: firstName });
    const now = clock.now();
    await mails.mail?.({ notifications, db, now, account, to, link, resendable });
    await queueNotice(notifications, db, mails, { account, role, cause: '' });
    const [mail] = written;
    return mail ? { subject: mail.subject, lines: previewLines(mail.text) } : null;
  }
}
