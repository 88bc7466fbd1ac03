/** [NOS-11] A form that a browser sends twice, to one instance or to two. */

import { afterEach, expect, test, vi } from 'vitest';
import { createTestClock, type TestClock } from '../testing/test-clock.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { createAnswerOnce } from './answer-once.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

type Outcome = { readonly cookie: string };

const FORM = {
  url: '/account/signin',
  body: 'email=ada%40example.test&once=of-this-page',
  browser: null as string | null,
};
const SENT = new FormData();
SENT.append('once', 'of-this-page');
/** Beyond the life of an answer, and beyond the time for which an instance that has ended holds a form. */
const [OVER_SECONDS, GONE_SECONDS] = [16, 4];

let clock: TestClock;
const statements: string[] = [];
const database = closeAtEnd(
  await openTestDatabase('migrated', ({ query }) => statements.push(query.sql)),
);
afterEach(() => database.db.deleteFrom('answered_forms').execute());

/** Two instances, and how often a form was run. */
function instances() {
  clock = createTestClock();
  const { db } = database;
  let runs = 0;
  const one = () => createAnswerOnce<Outcome>({ db, clock }, ({ cookie }) => cookie);
  const run = async () => {
    runs += 1;
    return { cookie: `visit=secret-${runs}` };
  };
  return { first: one(), second: one(), run, runs: () => runs };
}

const rows = () => database.db.selectFrom('answered_forms').selectAll().orderBy('id').execute();

test('[NOS-11] two instances run it once and give one answer, also to whom it came while it was run', async () => {
  const { first, second, run, runs } = instances();
  let end = () => {};
  const isHeld = new Promise<void>((resolve) => (end = resolve));
  const held = async () => {
    const outcome = await run();
    await isHeld;
    return outcome;
  };
  const begun = first(FORM, SENT, held);
  await expect.poll(rows).toHaveLength(1);
  const pressedAgain = second(FORM, SENT, run);
  end();
  const answers = [await begun, await pressedAgain, await second(FORM, SENT, run)];
  // A press 14 seconds later: the answer is still on its way.
  clock.advance(14);
  answers.push(await second(FORM, SENT, run));
  expect(answers).toEqual(Array(4).fill({ cookie: 'visit=secret-1' }));
  expect(runs()).toBe(1);
});

test('[NOS-11] another form, one of another page, and a later press are run', async () => {
  const { first, second, run, runs } = instances();
  await first(FORM, SENT, run);
  await second({ ...FORM, body: `${FORM.body}-next` }, SENT, run);
  await second({ ...FORM, url: '/account/ForgetPassword' }, SENT, run);
  await second(FORM, new FormData(), run);
  expect(runs()).toBe(4);
  clock.advance(OVER_SECONDS);
  expect(await second(FORM, SENT, run)).toEqual({ cookie: 'visit=secret-5' });
});

test('[NOS-11] the answer belongs to the browser that sent the form, before and after it, on both instances', async () => {
  const { first, second, run } = instances();
  const from = (browser: string | null) => ({ ...FORM, browser });
  const answer = { cookie: 'visit=secret-1' };
  expect(await first(from('one'), SENT, run)).toEqual(answer);
  expect(await second(from('one'), SENT, run)).toEqual(answer);
  expect(await second(from('visit=secret-1'), SENT, run)).toEqual(answer);
  expect(await first(from('another'), SENT, run)).toEqual({ cookie: 'visit=secret-2' });
  expect(await second(from(null), SENT, run)).toEqual({ cookie: 'visit=secret-3' });
});

test('[NOS-11] what failed on one instance, or was left by one that ended, is run by the other', async () => {
  const { first, second, run } = instances();
  const failing = () => Promise.reject(new Error('no database'));
  await expect(first(FORM, SENT, failing)).rejects.toThrow('no database');
  expect(await rows()).toEqual([]);
  expect(await second(FORM, SENT, run)).toEqual({ cookie: 'visit=secret-1' });

  const other = { ...FORM, body: 'once=another' };
  const never = new Promise<Outcome>(() => {});
  void first(other, SENT, () => never);
  await expect.poll(rows).toHaveLength(2);
  clock.advance(GONE_SECONDS);
  expect(await second(other, SENT, run)).toEqual({ cookie: 'visit=secret-2' });
});

test('[NOS-11] S37: a form that takes long stays with the instance that runs it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { first, second, run, runs } = instances();
    let end = () => {};
    const isHeld = new Promise<void>((resolve) => (end = resolve));
    const begun = first(FORM, SENT, async () => {
      const outcome = await run();
      await isHeld;
      return outcome;
    });
    await expect.poll(rows).toHaveLength(1);
    for (let n = 0; n < 5; n += 1) {
      const [before] = await rows();
      clock.advance(GONE_SECONDS - 2);
      vi.advanceTimersByTime(1000);
      await expect.poll(async () => (await rows())[0]?.expires_at).not.toEqual(before?.expires_at);
    }
    const pressedAgain = second(FORM, SENT, run);
    end();
    expect([await begun, await pressedAgain]).toEqual(Array(2).fill({ cookie: 'visit=secret-1' }));
    expect(runs()).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('[NOS-11] S37: a request that stalled beyond its lease leaves the answer of the one that took over', async () => {
  const { first, second, run } = instances();
  let end = () => {};
  const isHeld = new Promise<void>((resolve) => (end = resolve));
  const stalled = first(FORM, SENT, async () => {
    const outcome = await run();
    await isHeld;
    return outcome;
  });
  await expect.poll(rows).toHaveLength(1);
  clock.advance(GONE_SECONDS);
  const answer = { cookie: 'visit=secret-2' };
  expect(await second(FORM, SENT, run)).toEqual(answer);
  end();
  await stalled;
  expect(await second(FORM, SENT, run)).toEqual(answer);
});

test('[NOS-11] S37: a hundred copies of a form that is run cost one question at a time', async () => {
  const { first, run, runs } = instances();
  let end = () => {};
  const isHeld = new Promise<void>((resolve) => (end = resolve));
  const begun = first(FORM, SENT, async () => {
    const outcome = await run();
    await isHeld;
    return outcome;
  });
  await expect.poll(rows).toHaveLength(1);
  statements.length = 0;
  const early = first(FORM, SENT, run);
  const isAsking = () => statements.some((sql) => sql.startsWith('select "answer"'));
  await expect.poll(isAsking).toBe(true);
  statements.length = 0;
  const copies = Array.from({ length: 100 }, () => first(FORM, SENT, run));
  end();
  const answers = await Promise.all([begun, early, ...copies]);
  expect(statements.length).toBeLessThan(50);
  expect(answers).toEqual(Array(102).fill({ cookie: 'visit=secret-1' }));
  expect(runs()).toBe(1);
});

test('[NOS-11] without what tells pages apart each is run, and none is kept', async () => {
  const { first, run, runs } = instances();
  await first(FORM, new FormData(), run);
  await first(FORM, new FormData(), run);
  expect(runs()).toBe(2);
  expect(await rows()).toEqual([]);
});

test('[NOS-11] one that begins takes away what is over, and nothing else', async () => {
  const { first, second, run } = instances();
  await first(FORM, SENT, run);
  clock.advance(OVER_SECONDS);
  await first({ ...FORM, body: 'once=second' }, SENT, run);
  expect(await rows()).toHaveLength(1);
  await second({ ...FORM, body: 'once=third' }, SENT, run);
  expect(await rows()).toHaveLength(2);
});

test('[NOS-11] the database has neither what was typed nor the answer in clear', async () => {
  const { first, run } = instances();
  await first(FORM, SENT, run);
  const [row] = await rows();
  const text = JSON.stringify(row);
  for (const word of ['ada', 'of-this-page', 'secret']) expect(text).not.toContain(word);
});
