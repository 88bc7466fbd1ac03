import { expect, test } from 'vitest';
import { createTestContext } from '../testing/test-app.ts';
import { readInbox } from './inbox.ts';

test('[DEM-03] the inbox finds an address in either case', async () => {
  const { db, database } = await createTestContext();
  await db
    .insertInto('inbox_messages')
    .values({
      id: crypto.randomUUID(),
      idempotency_key: 'hello',
      channel: 'email',
      recipient: 'Verena@meadows.example',
      subject: 'Hello',
      text: 'Hello',
      sent_at: new Date(),
    })
    .execute();
  const found = await Promise.all(
    ['verena@meadows.example', 'VERENA@Meadows.example'].map((to) => readInbox(db, to)),
  );
  expect(found.map((messages) => messages.length)).toEqual([1, 1]);
  await database.close();
});
