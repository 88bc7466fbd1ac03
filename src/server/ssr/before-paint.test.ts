import { expect, test } from 'vitest';
import { pathOf, SCREENS, type ScreenName } from '#domain/flow/screens.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';

const testApp = closeAtEnd(await createTestAppWithPages({}));

/** What a browser with script asks for while it reads a document: each as it is written there. */
function askedFor(html: string): readonly string[] {
  const read = html.replaceAll(/<noscript>.*?<\/noscript>/gs, '');
  const links = read.match(/<link [^>]*>/g) ?? [];
  const styles = (read.match(/<style.*?<\/style>/gs) ?? []).join('');
  return [
    // Browsers ask for the icon of their tab once the page is there.
    ...links.filter((link) => !/rel="(?:expect|icon)"/.test(link)),
    ...(read.match(/<(?:img|iframe) (?![^>]*loading="lazy")[^>]*>/g) ?? []),
    ...(read.match(/<(?:script|video|audio|source|object|embed)\b[^>]* (?:src|data)=[^>]*>/g) ??
      []),
    ...(read.match(/<(?:use|image) [^>]*href="[^#"][^>]*>/g) ?? []),
    ...(styles.match(/@import[^;]*|url\((?!["']?#)[^)]*\)/g) ?? []),
    ...(read.match(/style="[^"]*url\([^"]*"/g) ?? []),
  ];
}

/** The pages that its address alone shows to a stranger or to a member, by their addresses. */
async function shownPages(): Promise<readonly (readonly [string, string])[]> {
  const [stranger, member] = [testApp.visitor(), testApp.visitor()];
  await member.signIn('member');
  const pages = new Map<string, string>();
  for (const visitor of [stranger, member]) {
    for (const path of (Object.keys(SCREENS) as ScreenName[]).map((screen) => pathOf(screen))) {
      const answer = await visitor.request(path, { redirect: 'manual' });
      if (answer.status < 300) pages.set(path, await answer.text());
    }
  }
  return [...pages];
}

const PAGES = await shownPages();

test('[PRF-28] a page asks for nothing before its first paint', () => {
  expect(PAGES.length).toBeGreaterThan(20);
  expect(PAGES.map(([path, html]) => [path, askedFor(html)])).toEqual(
    PAGES.map(([path]) => [path, []]),
  );
});

test('[PRF-28] the first paint waits for no more than what stands above the first form', () => {
  const held = PAGES.flatMap(([path, html]) => {
    const [, id = ''] = /<link rel="expect" href="#([\w-]+)" blocking="render">/.exec(html) ?? [];
    const main = html.indexOf('<main');
    const form = /<form id="([\w-]+)"/.exec(html.slice(main, html.indexOf('</main>')))?.[1];
    return id === (form ?? 'boot') && html.includes(` id="${id}"`) ? [] : [path, id];
  });
  expect(held).toEqual([]);
});
