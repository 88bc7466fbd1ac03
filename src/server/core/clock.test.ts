import { afterEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '#domain/text/duration.ts';
import { createClock } from './clock.ts';

afterEach(() => vi.useRealTimers());

/** The machine's wall clock is set; what counts steadily goes on. */
function setWallClock(byMs: number): void {
  const at = Date.now() + byMs;
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(at);
}

test('[R44] [SEC-07] a clock that follows another one tells its time, whatever the machine says', () => {
  const clock = createClock();
  const there = new Date('2031-05-06T07:08:09Z');
  clock.follow(there);
  setWallClock(2 * HOUR_MS);
  const offMs = clock.now().getTime() - there.getTime();
  expect(offMs).toBeGreaterThanOrEqual(0);
  expect(offMs).toBeLessThan(HOUR_MS);
});

test('[R44] [SEC-07] it runs on by a steady clock, and is corrected by the next look', () => {
  const clock = createClock();
  const steady = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const there = new Date('2031-05-06T07:08:09Z');
  clock.follow(there);
  steady.mockReturnValue(61_000);
  expect(clock.now()).toEqual(new Date('2031-05-06T07:09:09Z'));
  // Noise of the measurement: a clock that jumps back and forth would put what happens out of order.
  clock.follow(new Date('2031-05-06T07:09:08.900Z'));
  expect(clock.now()).toEqual(new Date('2031-05-06T07:09:09Z'));
  clock.follow(new Date('2031-05-06T07:09:03Z'));
  expect(clock.now()).toEqual(new Date('2031-05-06T07:09:03Z'));
  steady.mockRestore();
});

test('[SRV-24] what the demo asked for stays', () => {
  const clock = createClock();
  clock.advance(120);
  const there = new Date('2031-05-06T07:08:09Z');
  clock.follow(there);
  expect(clock.now().getTime() - there.getTime()).toBeGreaterThanOrEqual(120_000);
});
