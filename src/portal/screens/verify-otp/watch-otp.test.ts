import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Delivery } from '#domain/proofs/delivery.ts';
import { nextLook, watchOtp } from './watch-otp.ts';

const page = Object.assign(new EventTarget(), { hidden: false });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  page.hidden = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Message = Delivery['messages'][number];
const message = (more: Partial<Message> = {}): Message => ({
  channel: 'sms',
  state: 'sent',
  reason: null,
  agoMs: 0,
  waitsForReceipt: true,
  ...more,
});
const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  id: 'code-1',
  messages: [message()],
  otherWays: [],
  canAskNow: false,
  call: null,
  remainingMs: 100_000,
  ...more,
});

type Answer = {
  activated: string | null;
  isActivatedByPhone: boolean;
  delivery: Delivery | null;
} | null;
const told = (each: Delivery | null): Answer => ({
  activated: null,
  isActivatedByPhone: false,
  delivery: each,
});

function watch(
  answer: () => Answer,
  registrationId: string | null = null,
  { isChanged = false } = {},
) {
  const news: Delivery[] = [];
  const ask = vi.fn<() => Promise<Answer>>(async () => answer());
  const onConfirmed = vi.fn<(isByPhone: boolean) => void>();
  const onDelivery = (each: Delivery) => void news.push(each);
  const stop = watchOtp({
    ask,
    otpId: 'code-1',
    registrationId,
    isChanged,
    onDelivery,
    onConfirmed,
  });
  return { ask, news, onConfirmed, stop };
}
const show = (isShown: boolean) => {
  page.hidden = !isShown;
  page.dispatchEvent(new Event('visibilitychange'));
};

test('asks later and later, and no more once everything has arrived', async () => {
  let state: Message['state'] = 'sent';
  const { ask, news } = watch(() => told(delivery({ messages: [message({ state })] })));
  await vi.advanceTimersByTimeAsync(1400);
  expect(ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(32_000);
  expect(ask).toHaveBeenCalledTimes(6);
  state = 'delivered';
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).toHaveBeenCalledTimes(7);
  expect(news).toHaveLength(7);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(7);
});

test('rests while nobody looks, and asks at once when somebody does', async () => {
  const { ask } = watch(() => told(delivery()));
  await vi.advanceTimersByTimeAsync(1500);
  show(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  show(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('goes on after a question without an answer', async () => {
  let answer: Answer = null;
  const { ask, news } = watch(() => answer);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(2);
  answer = told(delivery());
  await vi.advanceTimersByTimeAsync(4000);
  expect(news).toHaveLength(1);
});

test.each([null, delivery({ id: 'code-2' })])(
  'a code that counts no more: the end (%j)',
  async (each) => {
    const { ask, news } = watch(() => told(each));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(news).toEqual([]);
  },
);

test('whoever leaves the screen hears nothing any more', async () => {
  let answer: (given: Answer) => void = () => {};
  const onNews = vi.fn<() => void>();
  const stop = watchOtp({
    ask: () => new Promise((resolve) => (answer = resolve)),
    otpId: 'code-1',
    registrationId: 'reg-1',
    onDelivery: onNews,
    onConfirmed: onNews,
  });
  await vi.advanceTimersByTimeAsync(1500);
  stop();
  answer({ activated: 'reg-1', isActivatedByPhone: false, delivery: delivery() });
  await vi.advanceTimersByTimeAsync(60_000);
  show(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onNews).not.toHaveBeenCalled();
});

test('ends with the life of a code, whatever the server says', async () => {
  const { ask } = watch(() => null);
  await vi.advanceTimersByTimeAsync(700_000);
  const asked = ask.mock.calls.length;
  expect(asked).toBeLessThan(70);
  await vi.advanceTimersByTimeAsync(700_000);
  expect(ask).toHaveBeenCalledTimes(asked);
});

test('while a link may confirm it elsewhere: every three seconds, one request at a time', async () => {
  const delivered = delivery({ messages: [message({ state: 'delivered' })] });
  const { ask, news, onConfirmed } = watch(() => told(delivered), 'reg-1');
  await vi.advanceTimersByTimeAsync(1500);
  expect(news).toEqual([delivered]);
  await vi.advanceTimersByTimeAsync(60_000);
  // The pauses grow from 1.5 s up to three seconds, and not beyond.
  expect(ask).toHaveBeenCalledTimes(21);
  expect(onConfirmed).not.toHaveBeenCalled();
});

test('confirmed elsewhere: told once, then the end', async () => {
  let activated: string | null = 'reg-of-before';
  const { ask, onConfirmed } = watch(
    () => ({ activated, isActivatedByPhone: true, delivery: null }),
    'reg-1',
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onConfirmed).not.toHaveBeenCalled();
  activated = 'reg-1';
  await vi.advanceTimersByTimeAsync(3000);
  const asked = ask.mock.calls.length;
  show(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(onConfirmed.mock.calls).toEqual([[true]]);
  expect(ask).toHaveBeenCalledTimes(asked);
});

test('a code that counts no more: the link is waited for as long as the server tells of it', async () => {
  const { ask } = watch(() => told(null), 'reg-1');
  await vi.advanceTimersByTimeAsync(30 * 60 * 1000 - 10_000);
  const before = ask.mock.calls.length;
  await vi.advanceTimersByTimeAsync(6000);
  expect(ask.mock.calls.length).toBeGreaterThan(before);
  await vi.advanceTimersByTimeAsync(10_000);
  const asked = ask.mock.calls.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ask).toHaveBeenCalledTimes(asked);
});

const failed = message({ state: 'failed', waitsForReceipt: false });
test.each<[string, Partial<Delivery>, number | null]>([
  ['a receipt is to come', {}, 4000],
  ['still on its way', { messages: [message({ state: 'queued', waitsForReceipt: false })] }, 4000],
  ['no receipt will come', { messages: [message({ waitsForReceipt: false })] }, null],
  ['the time is up', { remainingMs: 0 }, null],
  ['another way opens later', { messages: [failed], otherWays: [3] }, 100_500],
  ['another way is open', { messages: [failed], otherWays: [3], canAskNow: true }, null],
])('%s', (_, more, wait) => {
  expect(nextLook(delivery(more), 4000)).toBe(wait);
});

test('[VOI-07] a call is looked at as soon as it was asked for, and until it has ended', async () => {
  const arrived = [message({ state: 'delivered' })];
  const calling = { state: 'calling', agoMs: 0, againMs: 60_000 } as const;
  let call: Delivery['call'] = calling;
  const { ask } = watch(() => told(delivery({ messages: arrived, call })), null, {
    isChanged: true,
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(ask).toHaveBeenCalledTimes(1);
  call = { ...calling, state: 'said' };
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(2);
});
