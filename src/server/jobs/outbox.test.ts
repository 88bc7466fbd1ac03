import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { createKit } from '../testing/world.ts';
import { createOutbox, type Handler } from './outbox.ts';

const MINUTE_MS = 60_000;
type TestKit = Awaited<ReturnType<typeof createKit>>;
let kit: TestKit;
afterEach(() => kit.database.close());

/** An outbox whose only receiver is the test. */
async function start(handler: Handler) {
  kit = await createKit({ parcel: handler });
  return kit;
}
const job = (n: number, expiresAt?: Date) => ({
  kind: 'parcel',
  payload: { n },
  idempotencyKey: `parcel:${n}`,
  ...(expiresAt && { expiresAt }),
});
const rows = () => kit.db.selectFrom('outbox').selectAll().orderBy('idempotency_key').execute();

describe('[D4] a job and its cause', () => {
  test('are written together or not at all', async () => {
    const { db, outbox } = await start(async () => undefined);
    const cause = db.transaction().execute(async (transaction) => {
      await outbox.add(transaction, job(1));
      throw new Error('the cause fails');
    });
    await expect(cause).rejects.toThrow('the cause fails');
    expect(await rows()).toEqual([]);
    await db.transaction().execute((transaction) => outbox.add(transaction, job(2)));
    expect(await rows()).toHaveLength(1);
  });

  test('the same cause makes one job', async () => {
    const { db, outbox } = await start(async () => undefined);
    await outbox.add(db, job(1));
    await outbox.add(db, job(1));
    expect(await rows()).toHaveLength(1);
  });

  test('what is in it cannot be read in the database, and goes when it is done', async () => {
    const { db, outbox } = await start(async () => undefined);
    await outbox.add(db, { ...job(1), payload: { secret: 'canary-4711' } });
    expect(JSON.stringify(await rows())).not.toContain('canary-4711');
    await outbox.runDue();
    expect((await rows())[0]).toMatchObject({
      payload: {},
      done_at: expect.any(Date),
      last_error: null,
    });
  });
});

describe('[R41] a failing receiver', () => {
  test('is tried again, later and later, always with the same key', async () => {
    const seen: { n: unknown; key: string }[] = [];
    let isBroken = true;
    const { db, outbox, clock, errors } = await start(async ({ n }, key) => {
      seen.push({ n, key });
      if (isBroken) throw new Error('the receiver is down');
    });
    clock.pin(new Date());
    await outbox.add(db, job(1));
    for (let tries = 1; tries <= 6; tries += 1) {
      expect(await outbox.runDue()).toBe(1);
      expect(await outbox.runDue()).toBe(0);
      const [row] = await rows();
      const delay = (row?.run_at.getTime() ?? 0) - clock.now().getTime();
      const longest = 1000 * 2 ** (tries - 1);
      expect(delay).toBeGreaterThanOrEqual(longest / 2);
      expect(delay).toBeLessThanOrEqual(longest);
      expect(row).toMatchObject({ attempts: tries, last_error: 'the receiver is down' });
      clock.advanceMs(delay);
    }
    isBroken = false;
    await outbox.runDue();
    expect(await outbox.runDue()).toBe(0);
    expect(seen).toEqual(Array(7).fill({ n: 1, key: 'parcel:1' }));
    expect(errors).toHaveLength(6);
  });

  test('becomes a dead letter after twenty tries, and the letter keeps its content', async () => {
    let isBroken = true;
    const received: unknown[] = [];
    const { db, outbox, clock } = await start(async (payload) => {
      if (isBroken) throw new Error('gone for good');
      received.push(payload);
    });
    await outbox.add(db, job(1));
    for (let tries = 0; tries < 20; tries += 1) {
      await outbox.runDue();
      clock.advanceMs(60 * MINUTE_MS);
    }
    expect(await outbox.runDue()).toBe(0);
    expect((await rows())[0]).toMatchObject({
      attempts: 20,
      dead_at: expect.any(Date),
      done_at: null,
    });
    isBroken = false;
    await db.updateTable('outbox').set({ dead_at: null }).execute();
    await outbox.runDue();
    expect(received).toEqual([{ n: 1 }]);
  });

  test('keeps no other job waiting', async () => {
    const received: unknown[] = [];
    const { db, outbox } = await start(async ({ n }) => {
      if (n === 1) throw new Error('this one');
      received.push(n);
    });
    for (let n = 1; n <= 25; n += 1) await outbox.add(db, job(n));
    await outbox.settle();
    expect(received.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 24 }, (_, index) => index + 2),
    );
  });
});

describe('a job whose time is over', () => {
  test('is never delivered, and nothing of it stays', async () => {
    const received: unknown[] = [];
    const { db, outbox, clock } = await start(async (payload) => void received.push(payload));
    clock.pin(new Date());
    const end = new Date(clock.now().getTime() + 120_000);
    await outbox.add(db, job(1, end));
    await outbox.add(db, job(2, new Date(end.getTime() + 1)));
    clock.pin(end);
    await outbox.runDue();
    expect(received).toEqual([{ n: 2 }]);
    expect((await rows())[0]).toMatchObject({ payload: {}, last_error: 'expired', dead_at: end });
  });
});

describe('a worker that dies', () => {
  test('between delivery and note: delivered again with the same key, after its lease', async () => {
    const keys: string[] = [];
    let onDelivered = async () => {};
    const { db, outbox, clock } = await start(async (_, key) => {
      keys.push(key);
      await onDelivered();
    });
    await outbox.add(db, job(1));
    // The process is gone before it can write that the job is done.
    let die = () => {};
    const isDelivered = new Promise<void>((delivered) => {
      onDelivered = () => {
        delivered();
        return new Promise((_, reject) => (die = () => reject(new Error('dead'))));
      };
    });
    const dead = outbox.runDue();
    await isDelivered;
    onDelivered = async () => {};
    expect(await outbox.runDue()).toBe(0);
    clock.advanceMs(MINUTE_MS - 1000);
    expect(await outbox.runDue()).toBe(0);
    clock.advanceMs(1000);
    expect(await outbox.runDue()).toBe(1);
    expect(keys).toEqual(['parcel:1', 'parcel:1']);
    die();
    await dead;
  });
});

describe('several workers', () => {
  // Two pools on PostgreSQL. On PGlite both share its one connection, and the race cannot be lost.
  test('do each job once', async () => {
    const received = new Map<number, number>();
    const handler: Handler = async ({ n }) => {
      received.set(Number(n), (received.get(Number(n)) ?? 0) + 1);
    };
    const { db, outbox, clock, keyring, database } = await start(handler);
    for (let n = 1; n <= 100; n += 1) await outbox.add(db, job(n));
    const other = database.url ? await openDatabase({ url: database.url }) : null;
    const second = createOutbox({
      db: other?.db ?? db,
      clock,
      keyring,
      handlers: { parcel: handler },
      onError: (error) => kit.errors.push(error),
    });
    try {
      const workers = [outbox, second, outbox, second].map(async (worker) => {
        while ((await worker.runDue()) > 0);
      });
      await Promise.all(workers);
    } finally {
      await other?.close();
    }
    expect(received.size).toBe(100);
    expect([...new Set(received.values())]).toEqual([1]);
    expect((await rows()).every((row) => row.attempts === 1 && row.done_at)).toBe(true);
    expect(kit.errors).toEqual([]);
  });

  test('stopping waits for what is under way and takes nothing new', async () => {
    let finish = () => {};
    let isDone = false;
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const { db, outbox } = await start(async () => {
      begun();
      await new Promise<void>((resolve) => (finish = resolve));
      isDone = true;
    });
    await outbox.add(db, job(1));
    outbox.wake();
    await hasBegun;
    const stopped = outbox.stop();
    await outbox.add(db, job(2));
    finish();
    await stopped;
    expect(isDone).toBe(true);
    outbox.wake();
    await outbox.settle();
    expect((await rows()).map((row) => row.done_at !== null)).toEqual([true, false]);
  });
});
