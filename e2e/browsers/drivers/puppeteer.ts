import puppeteer from 'puppeteer-core';
import type { Engine } from '../../../tools/browsers.ts';
import { CHROMIUM_ARGS } from '../../../tools/chromium.ts';
import { type Driver, WINDOW } from './driver.ts';

/** Chromium over its own protocol, Firefox over WebDriver BiDi. Firefox has scripts for all pages, or for none. */
export async function startPuppeteer(
  { name, executable }: Engine,
  hasScript: boolean,
): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: name === 'firefox' ? 'firefox' : 'chrome',
    executablePath: executable,
    args: name === 'firefox' ? [] : CHROMIUM_ARGS,
    defaultViewport: WINDOW,
    extraPrefsFirefox: { 'javascript.enabled': hasScript },
  });
  return {
    async open() {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      if (!hasScript && name === 'chromium') await page.setJavaScriptEnabled(false);
      return {
        goto: async (url) => void (await page.goto(url)),
        evaluate: (expression) => page.evaluate(expression),
        point: (x, y) => page.mouse.move(x, y),
        click: (x, y) => page.mouse.click(x, y),
        type: (text) => page.keyboard.type(text),
        press: (key) => page.keyboard.press(key),
        resize: (width, height) => page.setViewport({ width, height }),
        screenshot: () => page.screenshot(),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
