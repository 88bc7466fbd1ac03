import { beforeEach, describe, expect, test } from 'vitest';
import { createTestClock, type TestClock } from '../testing/test-clock.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { TransientError, CircuitOpenError, PermanentError } from './errors.ts';

let clock: TestClock;
let breaker: CircuitBreaker;
let changes: string[];
beforeEach(() => {
  clock = createTestClock();
  clock.pin(new Date());
  changes = [];
  breaker = createCircuitBreaker({ clock, onChange: (state) => void changes.push(state) });
});

const works = () => breaker.run(async () => 'done');
const fails = (error: Error = new TransientError('down')) =>
  breaker
    .run(async () => {
      throw error;
    })
    .catch((thrown: unknown) => thrown);
async function open(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await fails();
}

describe('[R43] a breaker', () => {
  test('opens at the fifth failure in a row, and then nothing is tried', async () => {
    for (let n = 0; n < 4; n += 1) await fails();
    expect(breaker.state()).toBe('closed');
    await works();
    for (let n = 0; n < 4; n += 1) await fails();
    expect(breaker.state()).toBe('closed');
    expect(changes).toEqual([]);
    await fails();
    expect(breaker.state()).toBe('open');
    let isTried = false;
    await expect(breaker.run(async () => (isTried = true))).rejects.toBeInstanceOf(
      CircuitOpenError,
    );
    expect(isTried).toBe(false);
    expect(changes).toEqual(['open']);
  });

  test('lets one try through after 15 seconds; when it works, all go on', async () => {
    await open();
    clock.advanceMs(14_999);
    expect(await fails()).toBeInstanceOf(CircuitOpenError);
    clock.advanceMs(1);
    expect(breaker.state()).toBe('probing');
    let answer = () => {};
    const probe = breaker.run(() => new Promise<void>((resolve) => (answer = resolve)));
    await expect(works()).rejects.toBeInstanceOf(CircuitOpenError);
    answer();
    await probe;
    expect(breaker.state()).toBe('closed');
    expect(await works()).toBe('done');
    expect(changes).toEqual(['open', 'closed']);
  });

  test('a probe that fails keeps it shut for 15 seconds more, and the next one may heal it', async () => {
    await open();
    clock.advanceMs(15_000);
    expect(await fails()).toBeInstanceOf(TransientError);
    expect(breaker.state()).toBe('open');
    expect(await fails()).toBeInstanceOf(CircuitOpenError);
    clock.advanceMs(15_000);
    expect(await works()).toBe('done');
    expect(changes).toEqual(['open', 'closed']);
  });

  test('tries that were under way when it opened neither shut it longer nor keep it from its probe', async () => {
    const ends: (() => void)[] = [];
    const slow = Array.from({ length: 10 }, () =>
      breaker
        .run(() => new Promise((_, reject) => ends.push(() => reject(new TransientError('late')))))
        .catch(() => undefined),
    );
    for (const end of ends.slice(0, 5)) end();
    await Promise.all(slow.slice(0, 5));
    clock.advanceMs(14_000);
    for (const end of ends.slice(5)) end();
    await Promise.all(slow);
    clock.advanceMs(1000);
    expect(await works()).toBe('done');
    expect(breaker.state()).toBe('closed');
  });

  test('a provider that refuses one receiver is well', async () => {
    await fails();
    await fails();
    for (let n = 0; n < 10; n += 1) await fails(new PermanentError('invalid', 'no such number'));
    for (let n = 0; n < 10; n += 1)
      await fails(new TransientError('full', { isRecipientOnly: true }));
    for (let n = 0; n < 4; n += 1) await fails();
    expect(breaker.state()).toBe('closed');
  });

  test('names how long to wait', async () => {
    await open();
    clock.advanceMs(5000);
    expect(await fails()).toMatchObject({ waitMs: 10_000 });
  });
});
