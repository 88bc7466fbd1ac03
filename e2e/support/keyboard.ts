import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any screen has: who needs more is trapped, or the target is no stop at all. */
const MOST_STOPS = 60;

/** Presses Tab until the target has the focus. At each stop the focus is in the page and can be seen. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press(key);
    expect(await focusOf(page)).toEqual({ isInPage: true, isVisible: true });
    if (await hasFocus(target)) return;
  }
  throw new Error(`No way by ${key} to ${String(target)}`);
}

/** After a change of screen the focus stands on something, never on the body. */
export async function expectFocusInPage(page: Page): Promise<void> {
  await expect.poll(async () => (await focusOf(page)).isInPage).toBe(true);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

/** The ring may be drawn on the element itself or on the card around it. */
function focusOf(page: Page): Promise<{ isInPage: boolean; isVisible: boolean }> {
  return page.evaluate(() => {
    const active = document.activeElement;
    if (!active || active === document.body) return { isInPage: false, isVisible: false };
    const around = [active, active.parentElement, active.closest('label')];
    const isVisible = around.some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 3) || boxShadow !== 'none';
    });
    return { isInPage: true, isVisible };
  });
}
