import { expect, test } from 'vitest';
import { statementKind, statementsOfSignIn, STEPS } from '../testing/sign-in-statements.ts';

/** Counts, which are the same on every machine; lower them when there are fewer. */
const MOST = {
  page: 7,
  password: 11,
  'code asked': 15,
  'code entered': 16,
  record: 20,
  'hand-off': 12,
};

test(
  '[PRF-10] one whole sign-in takes no more statements than it did',
  { tags: 'long' },
  async () => {
    const { steps } = await statementsOfSignIn();
    for (const step of STEPS) {
      const kinds = steps[step].map(statementKind);
      expect(kinds.length, `${step}:\n${kinds.join('\n')}`).toBeLessThanOrEqual(MOST[step]);
    }
  },
);
