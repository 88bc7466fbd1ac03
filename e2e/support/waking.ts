import type { Page } from '@playwright/test';

/** So low that the banner is below what is seen. */
export const PHONE = { width: 390, height: 664 };

export const isAwake = (page: Page) => page.evaluate(() => 'porchlightHydrated' in window);

/** Until everything has come that a page fetches untouched. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')];
    const come = performance.getEntriesByType('resource').map(({ name }) => name);
    return links.length > 0 && links.every(({ href }) => come.includes(href));
  });
}

/** Until the portal's own typeface shows. It comes after the first paint, and not at all to a browser that went offline before. */
export async function inItsFont(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !navigator.onLine || !document.documentElement.style.getPropertyValue('--font-ui'),
  );
}
