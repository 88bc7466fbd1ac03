import { expect, test } from 'vitest';
import { createAnswerOnce, ONCE_FIELD, type Outcome } from './answer-once.ts';

const outcome: Outcome = (reply) => reply;

/** Presses of forms that each stand on a page of their own; `runs` counts how often one was run. */
function createPresses() {
  const answerOnce = createAnswerOnce();
  const presses = {
    runs: 0,
    press(page: string | null, run: () => Promise<Outcome> = async () => outcome) {
      const sent = new FormData();
      if (page !== null) sent.set(ONCE_FIELD, page);
      return answerOnce({ url: '/account/Signup', body: { page } }, sent, () => {
        presses.runs += 1;
        return run();
      });
    },
  };
  return presses;
}

test('[NOS-11] a form is run once for a page, at once and afterwards, and each time without what tells pages apart', async () => {
  const presses = createPresses();
  await Promise.all([presses.press('page'), presses.press('page')]);
  await presses.press('page');
  expect(presses.runs).toBe(1);
  await presses.press('another page');
  await presses.press(null);
  await presses.press(null);
  expect(presses.runs).toBe(4);
});

test('[NOS-11] one that failed may be sent again at once', async () => {
  const presses = createPresses();
  const fail = () => Promise.reject(new Error('planted'));
  const both = [presses.press('page', fail), presses.press('page', fail)];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(presses.runs).toBe(1);
  expect(await presses.press('page')).toBe(outcome);
  expect(presses.runs).toBe(2);
});

test('[NOS-11] two hundred are kept: of more the oldest is forgotten, and no other', async () => {
  const presses = createPresses();
  for (let page = 0; page < 200; page += 1) await presses.press(String(page));
  await presses.press('0');
  expect(presses.runs).toBe(200);
  await presses.press('200');
  await presses.press('1');
  expect(presses.runs).toBe(201);
  await presses.press('0');
  expect(presses.runs).toBe(202);
});
