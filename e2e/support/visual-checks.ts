import type { Page } from '@playwright/test';

// What anybody could see by looking at the page, told by the page itself. Each answers with what is wrong, in words.

/** What sticks out of the window, is cut off in its box, or lies under something else. */
export async function lostContentIn(page: Page): Promise<string[]> {
  return [
    ...(await sidewaysScroll(page)),
    ...(await cutOff(page)),
    ...(await outOfSight(page)),
    ...(await brokenTitle(page)),
  ];
}

/** A title of which a line ends within a word such as "sign-in". */
function brokenTitle(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const title = document.querySelector('h1');
    if (!title) return [];
    const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+-\S+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(`broken in its title: ${word}`);
      }
    }
    return broken;
  });
}

function sidewaysScroll(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth - clientWidth}`] : [];
  });
}

/** Two porches on one page, or a door that stands open beside a failure (N2, N3). */
export function porchFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const porches = [
      ...document.querySelectorAll('svg[data-door]:not([data-view=mini], [data-view=paper])'),
    ];
    const seen = porches.filter((porch) => porch.checkVisibility());
    const isOpen = seen.some((porch) => porch.getAttribute('data-door') === 'wide');
    const hasFailed = document.querySelector('main [role=alert]')?.checkVisibility() === true;
    return [
      ...(seen.length > 1 ? [`${seen.length} porches`] : []),
      ...(isOpen && hasFailed ? ['an open door beside a failure'] : []),
    ];
  });
}

/** Boxes that hold more words than they show. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // A line of input scrolls under the caret, and the list of countries is meant to scroll (SUP-06).
    const exempt = 'body, input, svg, svg *, [role=listbox], .visually-hidden';
    const isCut = (element: Element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const isCutX = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      // Down is a way to read on, where one can scroll; sideways is none.
      const isShut = overflowY === 'hidden' || overflowY === 'clip';
      const isCutY = isShut && element.scrollHeight > element.clientHeight + 1;
      return isCutX || isCutY;
    };
    return [...document.body.querySelectorAll('*')]
      .filter((element) => !element.matches(exempt) && element.checkVisibility())
      .filter((element) => getComputedStyle(element).clipPath === 'none')
      .filter((element) => element.textContent?.trim() && isCut(element))
      .map(({ tagName, textContent }) => `cut off: ${tagName} ${textContent?.trim().slice(0, 60)}`);
  });
}

/** Words beyond the edge of the window, or under something that is neither menu nor dialog. */
function outOfSight(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // The way past the header lies over the logo while it has the focus, and only then.
    // An announcement lies over the page's top for a moment (V10).
    const layers =
      'dialog, [popover], #display-panel, header details, div:has(> [role=listbox]), [href="#main"], [aria-label=Notices]';
    const unseen = 'script, style, noscript, [hidden], [role=listbox], .visually-hidden';
    const { clientWidth } = document.documentElement;

    const wordsOf = (text: Node): DOMRect[] => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].filter((rect) => rect.width > 0);
    };
    const coverOf = (rect: DOMRect, element: Element): Element | null => {
      const above = document.elementFromPoint(
        rect.left + rect.width / 2,
        rect.top + rect.height / 2,
      );
      const isOwn = !above || above.contains(element) || element.contains(above);
      const isMeant = above?.closest(layers) || above?.closest('label')?.contains(element);
      return isOwn || isMeant ? null : above;
    };

    const losses: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim().slice(0, 60);
      if (!text || !parent || parent.closest(unseen)) continue;
      if (!parent.checkVisibility({ visibilityProperty: true })) continue;
      // For speech alone.
      if (getComputedStyle(parent).clipPath !== 'none') continue;
      for (const rect of wordsOf(node)) {
        if (rect.left < -1 || rect.right > clientWidth + 1)
          losses.push(`out of the window: ${text}`);
        const cover = coverOf(rect, parent);
        if (cover) losses.push(`under ${cover.tagName} ${cover.className.toString()}: ${text}`);
      }
    }
    return [...new Set(losses)];
  });
}

/**
 * Text under 17 px, and targets under 48 px. A link in the middle of a sentence is as high as its line, unless it names
 * whom to call.
 */
export function smallThingsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const small: string[] = [];
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('.visually-hidden, [inert], [hidden]');

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || !node.textContent?.trim() || !isShown(parent)) continue;
      const size = parseFloat(getComputedStyle(parent).fontSize);
      if (size < 16.99) small.push(`${size} px: ${node.textContent.trim().slice(0, 60)}`);
    }

    const targets = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
    for (const target of document.querySelectorAll(targets)) {
      if (!isShown(target) || target.matches('[tabindex="-1"]')) continue;
      if (getComputedStyle(target).clipPath !== 'none') continue;
      const isInSentence =
        target.matches('a:not([href^="tel:"], [href^="mailto:"])') &&
        getComputedStyle(target).display === 'inline' &&
        target.parentElement?.textContent?.trim() !== target.textContent?.trim();
      if (isInSentence) continue;
      // Whoever hits the words of a box hits the box.
      const area = target.closest('label') ?? target;
      const { width, height } = area.getBoundingClientRect();
      if (width < 47.9 || height < 47.9) {
        const words = target.getAttribute('aria-label') ?? target.textContent ?? '';
        small.push(
          `${Math.round(width)} × ${Math.round(height)}: ${target.tagName} ${words.trim()}`,
        );
      }
    }
    return [...new Set(small)];
  });
}

/** Returns how many animations run. One without a length moves nothing: it shows something later. */
export function runningAnimations(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().duration !== 0,
        ).length,
  );
}

/** Controls that are chosen, current or wrong, and look no other than those that are not. */
export function sameAppearance(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const PAIRS = [
      ['[aria-pressed=true]', '[aria-pressed=false]'],
      ['[aria-current]', ':not([aria-current])'],
      [':checked', ':not(:checked)'],
      ['[aria-selected=true]', '[aria-selected=false]'],
      ['[aria-invalid=true]', ':not([aria-invalid])'],
      [':disabled', ':enabled'],
    ] as const;
    /** Only lines, signs and sizes of signs: forced colours leave nothing else. */
    const lines = (each: Element, pseudo: '::before' | null) => {
      const s = getComputedStyle(each, pseudo);
      const border = [s.borderTopWidth, s.borderLeftWidth, s.borderBottomWidth, s.borderTopStyle];
      const outline = s.outlineStyle === 'none' ? '' : s.outlineStyle + s.outlineWidth;
      const sign = pseudo ? s.width : each instanceof SVGElement ? s.visibility : '';
      return [...border, s.borderTopColor, outline, s.fontWeight, sign].join();
    };
    const looks = (element: Element): string => {
      const sign = element.nextElementSibling;
      const parts = [element, element.closest('label'), sign instanceof SVGElement ? sign : null];
      const drawn = parts.flatMap((each) =>
        each ? [lines(each, null), lines(each, '::before')] : [],
      );
      // A sign inside, such as the tick of the country that is chosen.
      return [...drawn, element.querySelectorAll('svg').length].join(' ');
    };
    const same: string[] = [];
    for (const [is, isNot] of PAIRS) {
      for (const element of document.querySelectorAll(`main ${is}, header ${is}, aside ${is}`)) {
        if (!element.checkVisibility() || !element.matches('button, input, [role=option]'))
          continue;
        const kind = element.className;
        const other = [...document.querySelectorAll(`${element.tagName}${isNot}`)].find(
          (each) =>
            each.className === kind && each.checkVisibility() && each !== document.activeElement,
        );
        if (other && element !== document.activeElement && looks(other) === looks(element)) {
          same.push(`${is}: ${element.getAttribute('aria-label') ?? element.textContent ?? ''}`);
        }
      }
    }
    return same;
  });
}

/**
 * Addresses, numbers and masks that are not drawn as such: within a `bdi`, or in words for listeners (V14). In a `pre` stands
 * a message as it was sent.
 */
function rawContacts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node.textContent ?? '';
      const isRaw = /\S@\w|\+\d[\d\s()-]{6,}|•/.test(text);
      const drawn = 'bdi, pre, .visually-hidden, script, style, noscript, template, textarea';
      if (isRaw && !node.parentElement?.closest(drawn)) found.push(text);
    }
    for (const drawn of document.querySelectorAll('bdi[dir]')) {
      const next = drawn.closest('a') ?? drawn;
      if (next.nextSibling?.textContent?.startsWith('.')) found.push(`${drawn.textContent}.`);
    }
    return found;
  });
}

/** What every page owes a visitor: one title, a main part, and a way on from there. */
export async function faultsOfPage(page: Page): Promise<string[]> {
  const ways = page
    .getByRole('main')
    .locator('a[href], button:not(:disabled), input:not([type=hidden])');
  const [titles, mains, wayCount, title, raw] = await Promise.all([
    page.getByRole('heading', { level: 1 }).count(),
    page.getByRole('main').count(),
    ways.count(),
    page.title(),
    rawContacts(page),
  ]);
  return [
    titles === 1 ? '' : `${titles} titles of level 1`,
    mains === 1 ? '' : `${mains} main parts`,
    wayCount > 0 ? '' : 'no way on',
    title.trim() ? '' : 'no title of the window',
    ...raw.map((text) => `not drawn as an address or a number: ${text}`),
  ].filter(Boolean);
}

/** Where the page's links lead, without those that open a mail or a call. */
export function linksIn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a')]
      .map(({ href }) => href)
      .filter((href) => href.startsWith(location.origin) && !href.includes('#')),
  );
}
