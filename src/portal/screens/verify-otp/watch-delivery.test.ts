import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Delivery, nextLook, watchDelivery } from './watch-delivery.ts';

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
  remainingMs: 100_000,
  ...more,
});

function watch(answer: () => { data: Delivery | null } | null) {
  const news: Delivery[] = [];
  const ask = vi.fn<() => Promise<ReturnType<typeof answer>>>(async () => answer());
  const stop = watchDelivery({ ask, codeId: 'code-1', onNews: (each) => void news.push(each) });
  return { ask, news, stop };
}
const show = (isShown: boolean) => {
  page.hidden = !isShown;
  page.dispatchEvent(new Event('visibilitychange'));
};

test('asks later and later, and no more once everything has arrived', async () => {
  let state: Message['state'] = 'sent';
  const { ask, news } = watch(() => ({ data: delivery({ messages: [message({ state })] }) }));
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
  const { ask } = watch(() => ({ data: delivery() }));
  await vi.advanceTimersByTimeAsync(1500);
  show(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(1);
  show(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('goes on after a question without an answer', async () => {
  let answer: { data: Delivery } | null = null;
  const { ask, news } = watch(() => answer);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(2);
  answer = { data: delivery() };
  await vi.advanceTimersByTimeAsync(4000);
  expect(news).toHaveLength(1);
});

test.each([null, delivery({ id: 'code-2' })])(
  'a code that counts no more: the end (%j)',
  async (data) => {
    const { ask, news } = watch(() => ({ data }));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(news).toEqual([]);
  },
);

test('whoever leaves the screen hears nothing any more', async () => {
  let answer: (given: { data: Delivery }) => void = () => {};
  const news: Delivery[] = [];
  const stop = watchDelivery({
    ask: () => new Promise((resolve) => (answer = resolve)),
    codeId: 'code-1',
    onNews: (each) => void news.push(each),
  });
  await vi.advanceTimersByTimeAsync(1500);
  stop();
  answer({ data: delivery() });
  await vi.advanceTimersByTimeAsync(60_000);
  show(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(news).toEqual([]);
});

test('ends with the life of a code, whatever the server says', async () => {
  const { ask } = watch(() => null);
  await vi.advanceTimersByTimeAsync(700_000);
  const asked = ask.mock.calls.length;
  expect(asked).toBeLessThan(70);
  await vi.advanceTimersByTimeAsync(700_000);
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
