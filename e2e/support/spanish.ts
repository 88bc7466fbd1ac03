import type { Page } from '@playwright/test';
import { textsIn } from '../../src/locales/catalogue.ts';
import { heading } from './screens.ts';
import { expect } from './test.ts';
import { lostContentIn } from './visual-checks.ts';

const leaves = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);
/** English texts that are no text of Spanish as well, such as "WhatsApp". */
const FOREIGN = new Set(leaves({ ...textsIn('en') }));
for (const own of leaves({ ...textsIn('es') })) FOREIGN.delete(own);
/** Names: of the languages themselves, and of programs. */
for (const name of ['English', 'Error: ']) FOREIGN.delete(name);

/** Words that no sentence in English is without, and no name or sentence in Spanish has. */
const ENGLISH_WORDS = /\b(?:the|and|your?|with|for|this|is|are|of|to|we|it|please)\b/i;

/** Lines and labels of a page that stand in the English catalogue, or have a word that only English has. */
export async function untranslatedIn(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => [
    document.title.split(' – ')[0] ?? '',
    ...document.body.innerText.split('\n'),
    ...[...document.querySelectorAll('[aria-label], [alt], [placeholder], [title]')].flatMap(
      (each) =>
        ['aria-label', 'alt', 'placeholder', 'title'].map((name) => each.getAttribute(name) ?? ''),
    ),
  ]);
  return shown
    .map((text) => text.trim())
    .filter((text) => FOREIGN.has(text) || ENGLISH_WORDS.test(text));
}

/** Expects a page in Spanish, with this title, of which nothing is English, cut or out of sight. */
export async function expectSpanish(page: Page, title: string): Promise<void> {
  await expect(heading(page, title)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  expect(await untranslatedIn(page)).toEqual([]);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await lostContentIn(page), `at ${width}`).toEqual([]);
  }
}
