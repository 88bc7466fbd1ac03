import type { Page } from '@playwright/test';
import { lossesIn } from './looks.ts';

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

/** What is lost in a narrow window, zoomed, with large or spaced text; leaves the page as no visitor has it. */
export async function lossesWhenStretched(page: Page): Promise<string[]> {
  const losses: string[] = [];
  const look = async (how: string, width: number, height = WHOLE) => {
    await page.setViewportSize({ width, height });
    losses.push(...(await lossesIn(page)).map((loss) => `${how}: ${loss}`));
  };
  await look('at 320 px', 320);
  // 1280 × 1024 at 400 %.
  await look('at 400 % zoom', 320, 256);
  await look('at 1440 px', 1440);
  await sizeText(page, 'largest');
  await look('at 320 px with Largest text', 320);
  await look('at 1024 px with Largest text', 1024);
  await look('at 1440 px with Largest text', 1440);
  await look('at 1440 × 700 px with Largest text', 1440, 700);
  await sizeText(page, 'standard');
  await spaceText(page, SPACED);
  await look('at 390 px with spaced text', 390);
  await look('at 1440 px with spaced text', 1440);
  return losses;
}
