import { helpersToTell } from '../accounts/helper-store.ts';
import type { Clock } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import { type CopiedNotice, helperCopy, isCopied } from './helper-mail.ts';
import type { MailContent } from './mail-blocks.ts';
import type { Sender } from './sender.ts';

type Mail = (
  db: Db,
  to: { readonly email: string; readonly subtenantId: number },
  key: string,
  write: (given: { readonly sender: Sender }) => MailContent,
) => Promise<void>;

/** Creates the copies of security notices for the trusted helpers of a member: the one place that writes them (HLP-16). */
export const createHelperCopies =
  (mail: Mail, clock: Clock) =>
  /** @param key that of the notice */
  async (
    db: Db,
    member: { readonly id?: number; readonly email: string },
    kind: CopiedNotice,
    key: string,
  ): Promise<void> => {
    if (!isCopied(kind)) return;
    for (const helper of await helpersToTell(db, member, clock.now())) {
      const { id, helperEmail, helperFirstName, helperSubtenant, memberName } = helper;
      if (helperEmail === null || helperSubtenant === null) continue;
      const to = { email: helperEmail, subtenantId: helperSubtenant };
      const person = { firstName: helperFirstName ?? '', member: memberName, kind };
      await mail(db, to, `helper-copy:${id}:${key}`, ({ sender }) =>
        helperCopy({ ...person, sender }),
      );
    }
  };
