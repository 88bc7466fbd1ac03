// What one sign-in asks of the database: counts, which are the same on every machine.
import { setup } from '../../src/server/testing/database-copies.ts';
import {
  statementKind,
  statementsOfSignIn,
  STEPS,
} from '../../src/server/testing/sign-in-statements.ts';
import type { Figure } from '../../tools/figures.ts';

/** The portal's goal, which `npm test` holds (PRF-10). */
const BUDGET = 70;

export async function measureStatements(): Promise<Figure[]> {
  const tearDown = await setup();
  try {
    const { steps, outbox, jobs } = await statementsOfSignIn();
    const all = STEPS.flatMap((step) => steps[step]);
    const kinds = Map.groupBy(all.map(statementKind), (kind) => kind);
    const rows = [...kinds.values()].toSorted((a, b) => b.length - a.length);
    console.log('Statements of one sign-in by kind:');
    for (const [kind, ...more] of rows) console.log(`  ${more.length + 1}  ${kind}`);
    const figure = (what: string, value: number): Figure => ({
      id: '-',
      what: `statements: ${what}`,
      unit: '',
      value,
    });
    return [
      ...STEPS.map((step) => figure(step, steps[step].length)),
      { ...figure('one sign-in with its hand-off', all.length), id: 'S12', budget: BUDGET },
      figure('of the outbox meanwhile', outbox.length),
      figure('of jobs by the clock meanwhile', jobs.length),
    ];
  } finally {
    await tearDown();
  }
}
