import type { Db } from '../db/database.ts';

/** The maximum number, the newest ones. */
const MOST = 200;

/**
 * Returns the messages with codes, and with links that set a password, of some accounts, the newest first. Destinations
 * are stored masked.
 */
export async function messagesToAccounts(db: Db, userIds: readonly number[]) {
  if (userIds.length === 0) return [];
  const links = await db
    .selectFrom('reset_links')
    .select('id')
    .where('user_id', 'in', userIds)
    .execute();
  const codes = await db
    .selectFrom('otp_codes')
    .select('id')
    .where('user_id', 'in', userIds)
    .orderBy('sent_at', 'desc')
    .limit(MOST)
    .execute();
  const keys = links.flatMap(({ id }) => [`reset:${id}`, `invitation:${id}`]);
  // Three reads, because each has an index. For one read with this order the database would walk all messages.
  const read = async (
    column: 'otp_id' | 'called_otp_id' | 'idempotency_key',
    values: readonly string[],
  ) =>
    values.length === 0
      ? []
      : db.selectFrom('messages').selectAll().where(column, 'in', values).execute();
  const ids = codes.map(({ id }) => id);
  const found = [
    ...(await read('otp_id', ids)),
    ...(await read('called_otp_id', ids)),
    ...(await read('idempotency_key', keys)),
  ];
  return found.toSorted((a, b) => b.queued_at.getTime() - a.queued_at.getTime()).slice(0, MOST);
}
