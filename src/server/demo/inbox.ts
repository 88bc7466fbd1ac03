import { sql } from 'kysely';
import { OTP_LENGTH } from '#domain/proofs/otp.ts';
import type { Db } from '../db/database.ts';

const INBOX_LENGTH = 200;

export type InboxRow = Awaited<ReturnType<typeof findMessages>>[number];

/** Returns the newest messages first; `to` is an address in any letter case, or digits (DEM-03). */
export async function findMessages(db: Db, to: string | undefined) {
  const digits = to?.replace(/\D/g, '') ?? '';
  const isPhone = to !== undefined && !to.includes('@') && digits !== '';
  return db
    .selectFrom('inbox_messages')
    .selectAll()
    .$if(Boolean(to) && !isPhone, (query) =>
      query.where(sql`lower(recipient)`, '=', sql`lower(${to})`),
    )
    .$if(isPhone, (query) => query.where('recipient', 'like', `%${digits}`))
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .limit(INBOX_LENGTH)
    .execute();
}

/** Returns the same messages as `/dev/inbox.json` answers them. */
export async function readInbox(db: Db, to: string | undefined) {
  const rows = await findMessages(db, to);
  return rows.map(({ id, channel, recipient, subject, text, sent_at, code, link }) => ({
    channel,
    to: recipient,
    subject,
    text,
    sentAt: sent_at,
    code,
    link,
    // Where a press on the phone's keypad goes.
    ...(channel === 'voice' && { press: `/dev/inbox/${id}/press` }),
  }));
}

/** Returns to whom a message went; '' for an unknown one. */
export async function inboxRecipient(db: Db, id: string): Promise<string> {
  const row = await db
    .selectFrom('inbox_messages')
    .select('recipient')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.recipient ?? '';
}

/** Adds to the transcript of a call what its voice said after the key. */
export async function addWords(db: Db, id: string, lines: readonly string[]): Promise<void> {
  const said = lines.join(' ');
  const code = lines.filter((line) => /^\d$/.test(line)).join('');
  await db
    .updateTable('inbox_messages')
    .set((eb) => ({
      text: eb(eb.ref('text'), '||', ` [1 pressed] ${said}`),
      code: code.slice(0, OTP_LENGTH) || null,
    }))
    .where('id', '=', id)
    .execute();
}
