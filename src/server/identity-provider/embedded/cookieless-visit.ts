import { randomUUID } from 'node:crypto';
import type { ServerContext } from '../../context.ts';
import { hashToken, randomToken } from '../../crypto/secret-box.ts';

/**
 * Opens a visit for a caller without a browser and returns its id. Nobody gets its cookie: codes and activation mails
 * belong to a visit, and these callers have none.
 */
export async function openCookielessVisit({
  db,
  clock,
}: Pick<ServerContext, 'db' | 'clock'>): Promise<string> {
  const id = randomUUID();
  const now = clock.now();
  const token_hash = hashToken(randomToken());
  await db
    .insertInto('visits')
    .values({ id, token_hash, subtenant_id: null, created_at: now, seen_at: now })
    .execute();
  return id;
}
