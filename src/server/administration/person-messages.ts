import type { Db } from '../db/database.ts';

/** The maximum number, the newest ones. */
const MOST = 200;

/**
 * Returns the messages with codes, and with links that set a password, of some accounts, the newest first. Destinations
 * are stored masked.
 */
export async function messagesTo(db: Db, userIds: readonly number[]) {
  if (userIds.length === 0) return [];
  const links = await db
    .selectFrom('reset_links')
    .select('id')
    .where('user_id', 'in', userIds)
    .execute();
  const keys = links.flatMap(({ id }) => [`reset:${id}`, `invitation:${id}`]);
  const codes = db.selectFrom('otp_codes').select('id').where('user_id', 'in', userIds);
  return db
    .selectFrom('messages')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('otp_id', 'in', codes),
        eb('called_otp_id', 'in', codes),
        ...(keys.length === 0 ? [] : [eb('idempotency_key', 'in', keys)]),
      ]),
    )
    .orderBy('queued_at', 'desc')
    .limit(MOST)
    .execute();
}
