import { isFullMatrix } from './support/matrix.ts';
import { countShifts, forgetShifts, shifts } from './support/shifts.ts';
import { test } from './support/state-test.ts';
import { type State, STATES } from './support/states.ts';
import { expect } from './support/test.ts';

// F8 over ten seconds: news, announcements and pictures come, and nothing on a page makes room for them.

/** A state that lasts, with nothing of the usual browser and server changed. */
const lasts = ({ screen, needs, isPassing }: State) => screen !== 'plain' && !needs && !isPassing;

const FIRST_OF_SCREEN = STATES.filter(
  (state) => state === STATES.find((other) => other.screen === state.screen && lasts(other)),
);

for (const state of isFullMatrix ? STATES.filter(lasts) : FIRST_OF_SCREEN) {
  for (const width of isFullMatrix ? [390, 1440] : [390]) {
    test(`[F8] ${state.name}: still for ten seconds at ${width} px`, async ({ page, reach }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.clock.install();
      await countShifts(page);
      await reach(state);
      await forgetShifts(page);
      await page.clock.runFor(10_000);
      const { shifted, movers } = await shifts(page);
      expect(shifted, movers.join('\n')).toBeLessThanOrEqual(0.01);
    });
  }
}
