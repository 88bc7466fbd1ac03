import { expect, type Page } from '@playwright/test';
import { BRIEF_VIEWS, expectAccessible, FORCED_COLOURS } from './support/axe.ts';
import {
  faultsOfPage,
  porchFaults,
  runningAnimations,
  sameAppearance,
  smallThingsIn,
} from './support/visual-checks.ts';
import { citedBy, expectLiterals } from './support/literals.ts';
import { isCoreRun, isFullMatrix } from './support/matrix.ts';
import { BRIEF_STRETCHES, lostContentWhenStretched } from './support/reflow.ts';
import { testEveryState } from './support/state-test.ts';
import { isFirstOfScreen, type State } from './support/states.ts';

/** The first state of a screen meets every width and scheme; the others meet the hardest. */
const isWhole = (state: State) =>
  isFullMatrix ||
  state.screen === 'plain' ||
  isFirstOfScreen(state) ||
  state.needs?.javaScriptEnabled === false;

/** Sending is never switched off because something is missing. A new code has to wait (OTP-03), and is found by the keys meanwhile. */
async function disabledButtons(page: Page): Promise<string[]> {
  return page.locator('button:disabled').allInnerTexts();
}

/** axe takes what stands in a noscript for hidden, whether scripts run or not. In an answer to a form it stands without. */
const unwrapNoScript = (page: Page) =>
  page.evaluate(() => {
    for (const wrapper of document.querySelectorAll('noscript')) {
      wrapper.replaceWith(...wrapper.childNodes);
    }
  });

testEveryState(
  (state) =>
    `${citedBy(state)}${isCoreRun ? 'nothing is small, moves, hides or ends here' : 'axe finds nothing; nothing is small, moves, hides, ends here or is lost when stretched'}`,
  async (page, state) => {
    await expectLiterals(page, state);
    const hasScript = state.needs?.javaScriptEnabled !== false;
    // A state that passes by itself leads on by itself; a page that waits for script says how to switch it on.
    const owesWay = !state.isPassing && hasScript;
    const faults = (await faultsOfPage(page)).filter((fault) => owesWay || fault !== 'no way on');
    expect.soft(faults, 'title, main part and a way on').toEqual([]);
    expect.soft(await porchFaults(page), 'one porch, and true').toEqual([]);
    expect.soft(await smallThingsIn(page), 'text under 17 px, targets under 48 px').toEqual([]);
    expect.soft(await disabledButtons(page), 'buttons switched off').toEqual([]);
    expect.soft(await runningAnimations(page), 'animations under reduced motion').toBe(0);
    if (state.screen !== 'plain') {
      // Once, in the footer or in what the page has opened (E11).
      const inFooter = page.locator('footer').getByRole('link', { name: 'Call or write to us' });
      const help = inFooter.or(page.locator('[data-help] a[href^="tel:"]:visible'));
      await expect.soft(help, 'whom to call').toHaveCount(1);
    }
    // `npm test` sees that each screen is whole at one width; axe and the widths are `.ci/run`'s.
    if (isCoreRun) return;
    await page.emulateMedia({ forcedColors: 'active' });
    expect.soft(await sameAppearance(page), 'states that look alike in forced colours').toEqual([]);
    if (!hasScript) {
      await unwrapNoScript(page);
      await expectAccessible(page, `${state.name}, forced colours`, FORCED_COLOURS);
    }
    await page.emulateMedia({ forcedColors: 'none' });
    await expectAccessible(page, state.name, isWhole(state) ? undefined : BRIEF_VIEWS);
    // Last, for it leaves the page in no visitor's state; here and not in a test of its own, for coming here is most of the work.
    const stretches = isWhole(state) ? undefined : BRIEF_STRETCHES;
    expect(await lostContentWhenStretched(page, stretches), 'what is lost').toEqual([]);
  },
);
