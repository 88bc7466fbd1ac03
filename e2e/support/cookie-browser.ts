import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS } from '../../tools/chromium.ts';

/** Chromium's own setting: 0 lets cookies of other sites in, 1 keeps them out. */
const CONTROLS = { allowed: 0, blocked: 1 } as const;

/**
 * A browser of its own whose third-party cookies are as the test says. An ordinary test context is a private window,
 * and those keep them out.
 */
export async function openBrowser(
  baseURL: string,
  { thirdPartyCookies }: { readonly thirdPartyCookies: keyof typeof CONTROLS },
): Promise<{ page: Page; refused: string[]; close: () => Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'porchlight-browser-'));
  const isBlocked = thirdPartyCookies === 'blocked';
  const profile = {
    cookie_controls_mode: CONTROLS[thirdPartyCookies],
    block_third_party_cookies: isBlocked,
  };
  mkdirSync(path.join(folder, 'Default'));
  writeFileSync(path.join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }));
  const context = await chromium.launchPersistentContext(folder, {
    baseURL,
    args: CHROMIUM_ARGS,
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  });
  const page = await context.newPage();
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Types|CORS/i.test(message.text())) {
      refused.push(message.text());
    }
  });
  return {
    page,
    refused,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
