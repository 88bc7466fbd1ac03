import { channelsOf, type OtpMedium } from '#domain/otp.ts';
import { type RoleId, roleOf } from '#domain/roles.ts';
import type { Subtenant } from '#domain/subtenants.ts';
import type { Db } from '../db/database.ts';
import type { Kit } from '../kit.ts';
import {
  codeMessage,
  passwordChangedMessage,
  resetMessage,
  roleAddedMessage,
  type Sender,
} from './messages.ts';
import type { Messenger } from './messenger.ts';

type Person = { readonly email: string; readonly firstName: string; readonly subtenantId: number };

type CodeNotice = {
  readonly id: string;
  readonly digits: string;
  readonly medium: OtpMedium;
  readonly expiresAt: Date;
  readonly purpose: 'signUp' | 'signIn';
  /** Beside the code in a mail; `null` for none. */
  readonly link: string | null;
};

/** What people are told, each in the transaction of its cause, in the subtenant's name. */
export type Notices = {
  code(db: Db, to: Person & { readonly phone: string }, code: CodeNotice): Promise<void>;
  resetLink(db: Db, to: Person, url: string, cause: string): Promise<void>;
  passwordChanged(db: Db, to: Person, cause: string): Promise<void>;
  roleAdded(db: Db, to: Person, roleId: RoleId, cause: string): Promise<void>;
};

type Deps = {
  readonly messenger: Messenger;
  readonly subtenantOf: (id: number, db: Db) => Promise<Subtenant>;
};

export function createNotices({ clock, config }: Kit, deps: Deps): Notices {
  const { messenger, subtenantOf } = deps;
  const { publicUrl } = config;
  const help = config.help.email;

  async function senderOf(subtenantId: number, db: Db): Promise<Sender> {
    const { name, logoUrl, accent } = await subtenantOf(subtenantId, db);
    return { name, logoUrl: new URL(logoUrl, publicUrl).href, accent };
  }

  return {
    async code(db, to, code) {
      const sender = await senderOf(to.subtenantId, db);
      for (const channel of channelsOf(code.medium)) {
        const message = codeMessage({
          code: code.digits,
          channel,
          to: channel === 'email' ? to.email : to.phone,
          firstName: to.firstName,
          purpose: code.purpose,
          lifeMs: code.expiresAt.getTime() - clock.now().getTime(),
          sender,
          host: new URL(publicUrl).hostname,
          link: code.link,
        });
        await messenger.queue(db, message, `otp:${code.id}:${channel}`, code.expiresAt);
      }
    },
    async resetLink(db, { email, firstName, subtenantId }, link, cause) {
      const sender = await senderOf(subtenantId, db);
      const message = resetMessage({ to: email, firstName, sender, link });
      await messenger.queue(db, message, `reset:${cause}`);
    },
    async passwordChanged(db, { email, firstName, subtenantId }, cause) {
      const sender = await senderOf(subtenantId, db);
      const message = passwordChangedMessage({ to: email, firstName, sender, help });
      await messenger.queue(db, message, `reset-done:${cause}`);
    },
    async roleAdded(db, { email, firstName, subtenantId }, roleId, cause) {
      const sender = await senderOf(subtenantId, db);
      const role = roleOf(roleId).key;
      const message = roleAddedMessage({ to: email, firstName, role, help, sender });
      await messenger.queue(db, message, `role:${cause}`);
    },
  };
}
