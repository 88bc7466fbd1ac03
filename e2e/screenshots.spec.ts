import path from 'node:path';
import { testEveryState } from './support/state-test.ts';

// Pictures of every screen in every state, for people to look at. Not part of the suite: see playwright.config.ts.

const FOLDER = process.env.PORCHLIGHT_SHOTS ?? 'test-results/pictures';

testEveryState(
  () => 'pictures',
  async (page, { name }) => {
    const file = name.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        // What sticks to the window stands where it does at first sight.
        await page.evaluate(() => scrollTo(0, 0));
        await page.evaluate(() =>
          Promise.all([...document.images].map((image) => image.decode().catch(() => undefined))),
        );
        await page.screenshot({
          path: path.join(FOLDER, `${file}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
    }
  },
);
