import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSealing } from '#server/audit/sealing.ts';
import { createTestContext } from '#server/testing/test-app.ts';
import { operate as run } from '#server/testing/operate.ts';
import { readCommand } from './verbs.ts';

const operate = (...words: string[]) => run(context, ...words);

const context = await createTestContext();
beforeAll(async () => {
  for (let n = 0; n < 30; n += 1) {
    await context.audit({ kind: 'otp.wrong', userId: 7, details: { n } });
  }
  await createSealing(context).seal();
  await context.audit({ kind: 'signOut', userId: 7, ip: '203.0.113.9' });
});
afterAll(() => context.database.close());

test('[AUD-09] porchlight audit tail: the newest events as JSON lines, the newest last', async () => {
  const { text } = await operate('audit', 'tail', '--count', '2');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { kind: 'otp.wrong', outcome: 'failure', reason: 'wrongCode', batch: 1, details: { n: 29 } },
    { kind: 'signOut', outcome: 'success', batch: null, ip: '203.0.113.9', userId: 7 },
  ]);
  expect((await operate('audit', 'tail')).text.trim().split('\n')).toHaveLength(20);
});

test('[AUD-09] porchlight audit verify: counts, the newest batch, and whether it is whole', async () => {
  const { text, hasFailed } = await operate('audit', 'verify');
  expect(hasFailed).toBe(false);
  const [counts, head = '', verdict] = text.trim().split('\n');
  expect(counts).toBe('30 rows in 1 batches. Not sealed yet: 1.');
  expect(head).toMatch(/^Newest batch: 1\.[\w-]{43}$/);
  expect(verdict).toBe('Nothing was changed, moved, added or taken away.');
  const [, , told = ''] = head.split(' ');
  expect((await operate('audit', 'verify', '--head', told)).hasFailed).toBe(false);
  const other = await operate('audit', 'verify', '--head', `2.${'x'.repeat(43)}`);
  expect(other).toMatchObject({ hasFailed: true });
  expect(other.text).toContain('Batch 2 is not there as it was told.');
});

test('[AUD-09] a fault is named, and the command fails', async () => {
  const { db } = context;
  await sql`alter table audit_events disable trigger user`.execute(db);
  await sql`update audit_events set hash = reverse(hash) where seal = 1`.execute(db);
  const { text, hasFailed } = await operate('audit', 'verify');
  expect(hasFailed).toBe(true);
  expect(text).toContain('Row 1 was changed, or a row before it is gone or was moved.');
  expect(text).toMatch(/^and 11 more\.$/m);
  expect(text).toContain('31 faults.');
});

test.each([
  ['audit', 'Usage:\n  porchlight audit verify'],
  ['audit verify --count 3', "Unknown option '--count'"],
  ['audit verify --head x', '--head is what verify printed'],
  ['audit tail --count 0', '--count is a whole number from 1 to 1000.'],
  ['audit tail more', "Too many arguments for 'tail'."],
])('porchlight %s says what is wrong', (words, said) => {
  expect(() => readCommand(words.split(' '))).toThrow(said);
});
