import type { Page } from '@playwright/test';
import { inItsFont } from './waking.ts';

type Shifts = { shifted: number; movers: string[]; isUntouched: boolean };

/** Adds up the layout shifts without an interaction. */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    };
    const seen: Shifts = { shifted: 0, movers: [], isUntouched: false };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput && !seen.isUntouched) continue;
        seen.shifted += value;
        for (const { node } of sources) {
          const text = node instanceof Element ? node.outerHTML : (node?.textContent ?? '');
          seen.movers.push(`${value.toFixed(4)} ${text.slice(0, 100)}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved once the font is in its place. */
export async function shifts(page: Page): Promise<Shifts> {
  await drawn(page);
  return page.evaluate(() => (window as unknown as { seen: Shifts }).seen);
}

/** What moved before counts no more. All that moves from now on does: with a clock that runs ahead the last press was a moment ago. */
export async function forgetShifts(page: Page): Promise<void> {
  await drawn(page);
  await page.evaluate(() => {
    const seen: Shifts = { shifted: 0, movers: [], isUntouched: true };
    Object.assign((window as unknown as { seen: Shifts }).seen, seen);
  });
}

/** Until all that is there is drawn and what it moved is told: one frame lays it out, and the next one tells. */
async function drawn(page: Page): Promise<void> {
  await inItsFont(page);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
}
