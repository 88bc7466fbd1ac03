import { writeFileSync } from 'node:fs';
import type { Engine } from '../../tools/browsers.ts';
import { test as base } from '../support/server-test.ts';
import type { Driver } from './drivers/driver.ts';
import { startPuppeteer } from './drivers/puppeteer.ts';
import { startWebKit } from './drivers/webkit.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export { expect } from '@playwright/test';

export type Options = {
  readonly engine: Engine;
  /** Whether pages run their scripts. */
  readonly hasScript: boolean;
};

type OwnFixtures = {
  /** Somebody with a browser that knows nothing yet. */
  visitor: Visitor;
};

/** A journey: written once, and gone with every engine of playwright.browsers.config.ts. */
export const test = base.extend<OwnFixtures, Options & { driver: Driver }>({
  engine: [
    { name: 'chromium', executable: '' },
    { option: true, scope: 'worker' },
  ],

  hasScript: [true, { option: true, scope: 'worker' }],

  driver: [
    async ({ engine, hasScript }, provide) => {
      const driver = await (engine.name === 'webkit'
        ? startWebKit(engine, hasScript)
        : startPuppeteer(engine, hasScript));
      await provide(driver);
      await driver.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  visitor: async ({ driver, hasScript, baseURL }, provide, info) => {
    const tab = await driver.open();
    await provide(createVisitor(tab, baseURL ?? '', hasScript));
    if (info.status !== info.expectedStatus) {
      const picture = info.outputPath('page.png');
      writeFileSync(picture, await tab.screenshot());
      info.attachments.push({ name: 'screenshot', path: picture, contentType: 'image/png' });
    }
    await tab.close();
  },
});
