import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';

/** One look of axe at a state. */
type View = {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  readonly areColoursForced?: true;
};

const WIDTHS = [390, 820, 1440] as const;

/** A phone, a tablet and a desk, in light and in dark. */
const ALL_VIEWS: readonly View[] = (['light', 'dark'] as const).flatMap((colorScheme) =>
  WIDTHS.map((width) => ({ colorScheme, width })),
);

/** The narrowest screen has the closest targets; colours are the same at every width. */
export const BRIEF_VIEWS: readonly View[] = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 390 },
];

export const FORCED_COLOURS: readonly View[] = [
  { colorScheme: 'light', width: 390, areColoursForced: true },
];

const COMMON = {
  resultTypes: ['violations'],
  // The silent check's frame is empty and hidden, and nothing of ours comes from elsewhere.
  iframes: false,
  preload: false,
};
const EVERYTHING = {
  ...COMMON,
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  rules: {
    'target-size': { enabled: true },
    // 7 : 1, and 4.5 : 1 for large text; it says nothing of what misses the other rule's 4.5 and 3, so both are asked.
    'color-contrast-enhanced': { enabled: true },
  },
};
/** Computed styles still tell the page's own colours where the system's are drawn. */
const ALL_BUT_COLOURS = {
  ...EVERYTHING,
  rules: {
    'target-size': { enabled: true },
    'color-contrast': { enabled: false },
    'link-in-text-block': { enabled: false },
  },
};
/** Only what looks at colours can find something else in the dark. */
const COLOURS = {
  ...COMMON,
  runOnly: {
    type: 'rule',
    values: ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'],
  },
};

/** The shorter form: every page has to compile it anew. */
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Where a state is held by stopping the page's clock, axe goes on by the real one; where no script runs there are no
 * timers, and it goes on at once.
 */
const IN_REAL_TIME = `((setTimeout) => { ${source} })(
  matchMedia('(scripting: none)').matches
    ? (run) => void Promise.resolve().then(run)
    : (window.realSetTimeout ?? window.setTimeout)
)`;

type Violation = {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};
type Axe = {
  readonly run: (
    on: Document,
    options: unknown,
  ) => Promise<{ readonly violations: readonly Violation[] }>;
};

/**
 * The screen as it stands has no accessibility fault, best practice, target size and 7 : 1 included. Motion is off
 * meanwhile, so that no colour is measured on its way to another one.
 */
export async function expectAccessible(
  page: Page,
  screen: string,
  views: readonly View[] = ALL_VIEWS,
): Promise<void> {
  const before = page.viewportSize();
  const faults: string[] = [];
  await page.evaluate(IN_REAL_TIME);
  for (const { colorScheme, width, areColoursForced } of views) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const asked = colorScheme === 'light' ? EVERYTHING : COLOURS;
    const found = await faultsIn(page, areColoursForced ? ALL_BUT_COLOURS : asked);
    faults.push(...found.map((fault) => `${width} ${colorScheme} ${fault}`));
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
  expect(faults, `axe on ${screen}`).toEqual([]);
}

async function faultsIn(page: Page, what: object): Promise<string[]> {
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { readonly axe: Axe };
    // One that had begun before goes on at its old speed.
    for (const begun of document.getAnimations()) {
      if (begun instanceof CSSTransition) begun.finish();
    }
    const { violations } = await axe.run(document, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n  ${failureSummary}`),
    );
  }, what);
}
