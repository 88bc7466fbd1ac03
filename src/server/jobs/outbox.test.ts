import { afterEach, describe, expect, test, vi } from 'vitest';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { createTestContext } from '../testing/test-app.ts';
import { CircuitOpenError, PermanentError } from './errors.ts';
import { createOutbox } from './outbox.ts';
import type { Handler } from './job.ts';
import { until } from '../testing/until.ts';

const LEASE_MS = 10_000;
type TestKit = Awaited<ReturnType<typeof createTestContext>>;
let context: TestKit;
afterEach(() => context.database.close());

/** An outbox whose only receiver is the test. */
async function start(handler: Handler) {
  context = await createTestContext({ parcel: handler });
  return context;
}
const job = (n: number, expiresAt?: Date) => ({
  kind: 'parcel',
  payload: { n },
  idempotencyKey: `parcel:${n}`,
  ...(expiresAt && { expiresAt }),
});
const rows = () => context.db.selectFrom('outbox').selectAll().orderBy('idempotency_key').execute();

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

  test('the same cause makes one job', { tags: 'long' }, async () => {
    const { db, outbox } = await start(async () => undefined);
    await outbox.add(db, job(1));
    await outbox.add(db, job(1));
    expect(await rows()).toHaveLength(1);
  });

  test(
    'what is in it cannot be read in the database, and goes when it is done',
    { tags: 'long' },
    async () => {
      const { db, outbox } = await start(async () => undefined);
      await outbox.add(db, { ...job(1), payload: { secret: 'canary-4711' } });
      expect(JSON.stringify(await rows())).not.toContain('canary-4711');
      await outbox.runDue();
      // `toMatchObject` takes anything for an empty object.
      expect((await rows())[0]?.payload).toEqual({});
      expect((await rows())[0]).toMatchObject({
        done_at: expect.any(Date),
        last_error: null,
      });
    },
  );
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

  test(
    'becomes a dead letter after twenty tries, and the letter keeps its content',
    { tags: 'long' },
    async () => {
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
    },
  );

  test('settles when what its jobs have added is done, too', { tags: 'long' }, async () => {
    const received: unknown[] = [];
    const started = await start(async ({ n }) => {
      received.push(n);
      if (n === 1) await started.outbox.add(started.db, job(2));
    });
    await started.outbox.add(started.db, job(1));
    await started.outbox.settle();
    expect(received).toEqual([1, 2]);
  });

  test('keeps no other job waiting', { tags: 'long' }, async () => {
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

describe('[R41] a refusal for good', () => {
  test('makes a dead letter at once, and the operator is told', async () => {
    const tries: unknown[] = [];
    const { db, outbox, clock, dead } = await start(async ({ n }) => {
      tries.push(n);
      throw new PermanentError('invalid', 'no such receiver');
    });
    await outbox.add(db, job(1));
    await outbox.settle();
    clock.advanceMs(60 * MINUTE_MS);
    await outbox.settle();
    expect(tries).toEqual([1]);
    expect((await rows())[0]).toMatchObject({
      attempts: 1,
      dead_at: expect.any(Date),
      last_error: 'no such receiver',
    });
    expect((await rows())[0]?.payload).not.toEqual({});
    expect(dead).toMatchObject([{ idempotencyKey: 'parcel:1', isExpired: false, isKept: true }]);
  });

  test(
    'nothing is kept of what would end by itself: nobody could send it after all',
    { tags: 'long' },
    async () => {
      const { db, outbox, clock, dead } = await start(async () => {
        throw new PermanentError('invalid', 'no such receiver');
      });
      await outbox.add(db, job(1, new Date(clock.now().getTime() + 120_000)));
      await outbox.settle();
      expect((await rows())[0]?.payload).toEqual({});
      expect((await rows())[0]).toMatchObject({ last_error: 'no such receiver' });
      expect(dead).toMatchObject([{ isExpired: false, isKept: false }]);
    },
  );
});

describe('a receiver that is known to be down', () => {
  test('costs no try, however long it lasts, and after 72 hours it is given up', async () => {
    const { db, outbox, clock, dead } = await start(async () => {
      throw new CircuitOpenError(15_000);
    });
    clock.pin(new Date());
    await outbox.add(db, job(1));
    for (let n = 0; n < 30; n += 1) {
      expect(await outbox.runDue()).toBe(1);
      clock.advanceMs(14_999);
      expect(await outbox.runDue()).toBe(0);
      clock.advanceMs(1);
    }
    expect((await rows())[0]).toMatchObject({ attempts: 0, dead_at: null });
    clock.advanceMs(72 * 60 * MINUTE_MS);
    await outbox.runDue();
    expect((await rows())[0]).toMatchObject({ dead_at: expect.any(Date) });
    expect(dead).toHaveLength(1);
  });
});

describe('a job whose time is over', () => {
  test('is tried every 15 seconds at least as long as it is good', async () => {
    const { db, outbox, clock } = await start(async () => {
      throw new Error('down');
    });
    clock.pin(new Date());
    await outbox.add(db, job(1, new Date(clock.now().getTime() + 120_000)));
    for (let n = 0; n < 8; n += 1) {
      expect(await outbox.runDue()).toBe(1);
      const [row] = await rows();
      const delay = (row?.run_at.getTime() ?? 0) - clock.now().getTime();
      expect(delay).toBeLessThanOrEqual(15_000);
      clock.advanceMs(delay);
    }
  });

  test('is never delivered, and nothing of it stays', { tags: 'long' }, async () => {
    const received: unknown[] = [];
    const { db, outbox, clock } = await start(async (payload) => void received.push(payload));
    clock.pin(new Date());
    const end = new Date(clock.now().getTime() + 120_000);
    await outbox.add(db, job(1, end));
    await outbox.add(db, job(2, new Date(end.getTime() + 1)));
    clock.pin(end);
    await outbox.runDue();
    expect(received).toEqual([{ n: 2 }]);
    expect((await rows())[0]?.payload).toEqual({});
    expect((await rows())[0]).toMatchObject({ last_error: 'expired', dead_at: end });
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
    clock.advanceMs(LEASE_MS - 1000);
    expect(await outbox.runDue()).toBe(0);
    clock.advanceMs(1000);
    expect(await outbox.runDue()).toBe(1);
    expect(keys).toEqual(['parcel:1', 'parcel:1']);
    die();
    await dead;
  });
});

describe('a worker that lives', () => {
  afterEach(() => vi.useRealTimers());

  test('[SEC-05] keeps what it is busy with, however long that takes, and not a moment after', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const BEAT_MS = 3000;
    const keys: string[] = [];
    const finish: (() => void)[] = [];
    const { db, outbox, clock, secretBox } = await start(
      (_, key) =>
        new Promise((resolve) => {
          keys.push(key);
          finish.push(resolve);
        }),
    );
    clock.pin(new Date());
    const other = createOutbox({ db, clock, secretBox, onError: () => undefined });
    other.define({ kind: 'parcel', deliver: async (_, key) => void keys.push(key) });
    await outbox.add(db, job(1));
    outbox.start();
    outbox.wake();
    await until(() => keys.length === 1);
    for (let held = 0; held <= LEASE_MS; held += BEAT_MS) {
      clock.advanceMs(BEAT_MS);
      vi.advanceTimersByTime(BEAT_MS);
      const end = clock.now().getTime() + LEASE_MS;
      await until(async () => (await rows())[0]?.locked_until?.getTime() === end);
      expect(await other.runDue()).toBe(0);
    }
    // It hangs for good: nothing beats any more. A look that was under way may take it before the other worker does.
    clock.advanceMs(LEASE_MS);
    await other.runDue();
    await until(() => keys.length === 2);
    finish.forEach((end) => end());
    await outbox.stop();
  });
});

describe('a worker that slept through its lease', () => {
  test('changes nothing of what another one has taken over', async () => {
    const fail: (() => void)[] = [];
    const { db, outbox, clock } = await start(
      () =>
        new Promise((_, reject) =>
          fail.push(() => reject(new PermanentError('invalid', 'too late'))),
        ),
    );
    await outbox.add(db, job(1));
    const asleep = outbox.runDue();
    await until(() => fail.length === 1);
    clock.advanceMs(MINUTE_MS);
    const awake = outbox.runDue();
    await until(() => fail.length === 2);
    fail[0]?.();
    await asleep;
    expect((await rows())[0]).toMatchObject({ attempts: 2, dead_at: null });
    expect((await rows())[0]?.locked_until).not.toBeNull();
    fail[1]?.();
    await awake;
    expect((await rows())[0]).toMatchObject({ dead_at: expect.any(Date) });
  });

  test.each(['done_at', 'dead_at'] as const)(
    'nor of what is over by now, sent again by an operator: %s',
    { tags: 'long' },
    async (over) => {
      const { db, outbox, clock } = await start(async () => {
        await db
          .updateTable('outbox')
          .set({ [over]: clock.now(), last_error: 'before' })
          .execute();
        throw new PermanentError('invalid', 'too late');
      });
      await outbox.add(db, job(1));
      await outbox.runDue();
      expect((await rows())[0]).toMatchObject({ last_error: 'before' });
      expect(context.dead).toEqual([]);
    },
  );
});

describe('a receiver that hangs', () => {
  test('keeps nobody else waiting, however many hang', async () => {
    const received: number[] = [];
    const free: (() => void)[] = [];
    const { db, outbox } = await start(async ({ n }) => {
      if (Number(n) <= 20) return new Promise((resolve) => free.push(resolve));
      received.push(Number(n));
    });
    for (let n = 1; n <= 30; n += 1) await outbox.add(db, job(n));
    outbox.wake();
    await until(() => received.length === 10);
    expect(free).toHaveLength(20);
    for (const end of free) end();
    await outbox.settle();
    expect((await rows()).every((row) => row.done_at)).toBe(true);
  });
});

describe('several workers', () => {
  // Two pools on PostgreSQL. On PGlite both share its one connection, and the race cannot be lost.
  test('do each job once', async () => {
    const received = new Map<number, number>();
    const handler: Handler = async ({ n }) => {
      received.set(Number(n), (received.get(Number(n)) ?? 0) + 1);
    };
    const { db, outbox, clock, secretBox, database } = await start(handler);
    for (let n = 1; n <= 100; n += 1) await outbox.add(db, job(n));
    const other = await database.second();
    const second = createOutbox({
      db: other.db,
      clock,
      secretBox,
      onError: (error) => context.errors.push(error),
    });
    second.define({ kind: 'parcel', deliver: handler });
    try {
      const workers = [outbox, second, outbox, second].map(async (worker) => {
        while ((await worker.runDue()) > 0);
      });
      await Promise.all(workers);
    } finally {
      await other.close();
    }
    expect(received.size).toBe(100);
    expect([...new Set(received.values())]).toEqual([1]);
    expect((await rows()).every((row) => row.attempts === 1 && row.done_at)).toBe(true);
    expect(context.errors).toEqual([]);
  });

  test('stopping waits for what is under way and takes nothing new', { tags: 'long' }, async () => {
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
    let isStopped = false;
    const stopped = outbox.stop().then(() => (isStopped = true));
    await outbox.add(db, job(2));
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    expect(isDone).toBe(true);
    outbox.wake();
    await outbox.settle();
    expect((await rows()).map((row) => row.done_at !== null)).toEqual([true, false]);
  });
});

test('a kind of job has one definition', async () => {
  const { outbox } = await start(async () => undefined);
  expect(() => outbox.define({ kind: 'parcel', deliver: async () => undefined })).toThrow(
    'parcel is defined twice',
  );
});
