import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = [390, 1440] as const;
const SCHEMES = ['light', 'dark'] as const;

/**
 * The screen as it stands has no accessibility fault: on a phone and on a desk, in light and in dark.
 * Motion is off meanwhile, so that no colour is measured on its way to another one.
 */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  const before = page.viewportSize();
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .options({
          runOnly: { type: 'tag', values: TAGS },
          rules: {
            'target-size': { enabled: true },
            'color-contrast-enhanced': { enabled: true },
          },
          resultTypes: ['violations'],
        })
        .analyze();
      for (const { id, nodes } of violations) {
        for (const { html, failureSummary } of nodes) {
          faults.push(`${width} ${colorScheme} ${id}: ${html}\n  ${failureSummary}`);
        }
      }
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
  expect(faults, `axe on ${screen}`).toEqual([]);
}
