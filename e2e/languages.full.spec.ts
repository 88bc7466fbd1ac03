import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { pseudoTexts } from '../src/locales/pseudo.ts';
import type { Pseudo } from '../src/locales/languages.ts';
import { testEveryState } from './support/state-test.ts';
import { expect } from './support/test.ts';
import { lostContentIn } from './support/visual-checks.ts';

// Every state with longer words, and mirrored: reached in English, whose labels the steps know, and then rewritten.

const MIRROR = path.resolve(import.meta.dirname, '../dist/server/mirror.css');

/** Replaces each text of the page by that of the pseudo-language. */
async function rewrite(page: Page, language: Pseudo): Promise<void> {
  const shown = await page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isShown = !node.parentElement?.closest('script, style, noscript');
      if (isShown && /[a-z]/i.test(node.textContent ?? '')) texts.push(node.textContent ?? '');
    }
    return texts;
  });
  await page.evaluate(
    (own) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        node.textContent = own[node.textContent ?? ''] ?? node.textContent;
    },
    Object.fromEntries(shown.map((text) => [text, pseudoTexts(text, language)])),
  );
}

async function mirror(page: Page): Promise<void> {
  await page.evaluate(
    (css) => {
      document.documentElement.dir = 'rtl';
      // Sides that the build translates for old browsers go by the language.
      document.documentElement.lang = 'ar-XB';
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    },
    readFileSync(MIRROR, 'utf8'),
  );
}

testEveryState(
  (state) => `[LNG-06] [LNG-09] longer words and a mirrored page lose nothing: ${state.screen}`,
  async (page) => {
    for (const language of ['ar-XB', 'en-XA'] as const) {
      if (language === 'ar-XB') await mirror(page);
      await rewrite(page, language);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect.soft(await lostContentIn(page), `${language} at ${width}`).toEqual([]);
      }
    }
  },
);
