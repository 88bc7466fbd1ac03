import type { Page } from '@playwright/test';
import { lostContentIn } from './visual-checks.ts';

/** WCAG 1.4.12, word for word. */
const SPACED = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`;

/** Tall enough to have most pages whole in view: what is not in view cannot be seen to lie under something. */
const WHOLE = 2400;

/** As a visitor's own style sheet does it; a style element would be stopped by the page's policy. */
async function spaceText(page: Page, css: string): Promise<void> {
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
  }, css);
}

async function sizeText(page: Page, size: 'standard' | 'largest'): Promise<void> {
  await page.evaluate((chosen) => {
    if (chosen === 'standard') delete document.documentElement.dataset.textSize;
    else document.documentElement.dataset.textSize = chosen;
  }, size);
}

type Stretch = {
  readonly how: string;
  readonly width: number;
  readonly height?: number;
  readonly text?: 'largest' | 'spaced';
};

// prettier-ignore
const ALL_STRETCHES: readonly Stretch[] = [
  { how: 'at 320 px', width: 320 },
  // 1280 × 1024 at 400 %.
  { how: 'at 400 % zoom', width: 320, height: 256 },
  { how: 'at 1440 px', width: 1440 },
  { how: 'at 320 px with Largest text', width: 320, text: 'largest' },
  { how: 'at 1024 px with Largest text', width: 1024, text: 'largest' },
  { how: 'at 1440 px with Largest text', width: 1440, text: 'largest' },
  { how: 'at 1440 × 700 px with Largest text', width: 1440, height: 700, text: 'largest' },
  { how: 'at 390 px with spaced text', width: 390, text: 'spaced' },
  { how: 'at 1440 px with spaced text', width: 1440, text: 'spaced' },
];

/** The one that asks most of a page. */
export const BRIEF_STRETCHES: readonly Stretch[] = [
  { how: 'at 320 px with Largest text', width: 320, text: 'largest' },
];

/** What is lost in a narrow window, zoomed, with large or spaced text; leaves the page as no visitor has it. */
export async function lostContentWhenStretched(
  page: Page,
  stretches: readonly Stretch[] = ALL_STRETCHES,
): Promise<string[]> {
  const losses: string[] = [];
  for (const { how, width, height = WHOLE, text } of stretches) {
    await sizeText(page, text === 'largest' ? 'largest' : 'standard');
    await spaceText(page, text === 'spaced' ? SPACED : '');
    await page.setViewportSize({ width, height });
    losses.push(...(await lostContentIn(page)).map((loss) => `${how}: ${loss}`));
  }
  return losses;
}
