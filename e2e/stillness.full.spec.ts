import type { Request } from '@playwright/test';
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

for (const state of FIRST_OF_SCREEN) {
  for (const width of isFullMatrix ? [390, 1440] : [390]) {
    test(`[F8] ${state.name}: still for ten seconds at ${width} px`, async ({ page, reach }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.clock.install();
      await countShifts(page);
      await reach(state);
      await forgetShifts(page);
      const asked = new Set<Request>();
      page.on('request', (request) => asked.add(request));
      page.on('requestfinished', (request) => asked.delete(request));
      page.on('requestfailed', (request) => asked.delete(request));
      for (let second = 0; second < 10; second += 1) {
        await page.clock.runFor(1000);
        // What is asked for meanwhile is answered by a real server.
        await expect.poll(() => asked.size).toBe(0);
      }
      const { shifted, movers } = await shifts(page);
      expect(shifted, movers.join('\n')).toBeLessThanOrEqual(0.01);
    });
  }
}
