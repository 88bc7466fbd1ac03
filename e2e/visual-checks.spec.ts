import { expect, test } from '@playwright/test';
import {
  faultsOfPage,
  lostContentIn,
  runningAnimations,
  sameAppearance,
  smallThingsIn,
} from './support/visual-checks.ts';

// The visual checks must find faults: each is planted once.

test.beforeEach(({ page }) => page.setViewportSize({ width: 320, height: 800 }));

const page = (body: string, style = '') =>
  `<!doctype html><title>Test</title><style>body{margin:0;font:18px/1.5 sans-serif}${style}</style>${body}`;

// prettier-ignore
const LOSSES = [
  ['sideways', page('<p style="width:400px">Wide</p>'), 'scrolls sideways by 80'],
  ['cut off', page('<p style="height:20px;overflow:hidden">Two lines<br>of words</p>'), 'cut off: P Two linesof words'],
  ['out of the window', page('<p style="position:absolute;left:-50px">Words</p>'), 'out of the window: Words'],
  ['covered', page('<p>Words</p><div class="lid" style="position:absolute;inset:0"></div>'), 'under DIV lid: Words'],
] as const;

for (const [what, html, loss] of LOSSES) {
  test(`what is lost is seen: ${what}`, async ({ page: tab }) => {
    await tab.setContent(html);
    expect(await lostContentIn(tab)).toContain(loss);
  });
}

test('small text and small targets are seen, a link in a sentence is let be', async ({
  page: tab,
}) => {
  await tab.setContent(
    page(
      '<p style="font-size:16px">Fine print</p><p>Go <a href="/">there</a> now</p><button>Go</button>',
    ),
  );
  const small = await smallThingsIn(tab);
  expect(small).toContainEqual('16 px: Fine print');
  expect(small).toContainEqual(expect.stringContaining('BUTTON Go'));
  expect(small.join()).not.toContain('there');
});

test('a moving part is seen', async ({ page: tab }) => {
  await tab.setContent(
    page('<p>Words</p>', '@keyframes turn{to{rotate:1turn}} p{animation:turn 1s infinite}'),
  );
  expect(await runningAnimations(tab)).toBe(1);
});

test('a choice that looks like the others is seen', async ({ page: tab }) => {
  const choices =
    '<main><button aria-pressed="true">One</button><button aria-pressed="false">Two</button></main>';
  await tab.setContent(page(choices));
  expect(await sameAppearance(tab)).toEqual(['[aria-pressed=true]: One']);
  await tab.setContent(page(choices, '[aria-pressed=true]{outline:3px solid}'));
  expect(await sameAppearance(tab)).toEqual([]);
});

test('a page without a title, a main part or a way on is seen', async ({ page: tab }) => {
  await tab.setContent('<!doctype html><p>Words</p>');
  expect(await faultsOfPage(tab)).toEqual([
    '0 titles of level 1',
    '0 main parts',
    'no way on',
    'no title of the window',
  ]);
});
