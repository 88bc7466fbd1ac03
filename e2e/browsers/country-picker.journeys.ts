import type { Target } from './in-page.ts';
import { expect, test } from './test.ts';
import { button, type Visitor } from './visitor.ts';

const USA = '(+1) USA';
const closed = (country: string) => button(`Country code, ${country}`);
const search: Target = { css: '[role=combobox]' };
const list: Target = { css: '[role=listbox]' };
const row = (country: string): Target => ({ css: '[role=option]', name: country });

/** The row that Enter would take. */
const current = (visitor: Visitor) =>
  visitor.ask(search, (input) => {
    const id = input.getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.innerText ?? null;
  });

/** From the top of the page, as far as the closed list, and opens it. */
async function openByKeyboard(visitor: Visitor): Promise<void> {
  await visitor.open('/Account/SignUp');
  await visitor.tabTo(closed(USA));
  await visitor.press('Enter');
  await visitor.hasFocusOn(search);
}

test('[SUP-06] the country is chosen by keyboard, and Escape keeps it', async ({ visitor }) => {
  await openByKeyboard(visitor);
  await visitor.type('254');
  await visitor.sees(row('(+254) Kenya'));
  await visitor.seesNo(row(USA));
  await visitor.press('Enter');
  await visitor.hasFocusOn(closed('(+254) Kenya'));
  await visitor.press('Enter');
  await visitor.hasFocusOn(search);
  await visitor.press('ArrowDown', 'Escape');
  await visitor.seesNo(list);
  await visitor.hasFocusOn(closed('(+254) Kenya'));
});

test('[B1] the list opens in view, and so does each row that the arrows come to', async ({
  visitor,
}) => {
  await openByKeyboard(visitor);
  await visitor.seesWhole(search);
  await visitor.seesWhole(list);
  // Zoomed in, the window is lower than the list with its search.
  await visitor.resize(1024, 240);
  let before = await current(visitor);
  for (let step = 0; step < 5; step += 1) {
    await visitor.press('ArrowDown');
    await visitor.until(async () => expect(await current(visitor)).not.toBe(before));
    before = await current(visitor);
    await visitor.seesWhole(row(before ?? ''));
  }
});

test('[B2] the row that was found stays current when the pointer is no longer over the list', async ({
  visitor,
}) => {
  await visitor.resize(800, 600);
  await openByKeyboard(visitor);
  const { x, y } = await visitor.hover(row('(+91) India'));
  await visitor.until(async () => expect(await current(visitor)).toBe('(+91) India'));
  await visitor.type('united k');
  await visitor.sees(row('(+44) United Kingdom'));
  await visitor.seesNo(row('(+91) India'));
  // The list has shrunk away from the pointer. Some browsers notice at once, others with the next move.
  await visitor.point(x + 1, y);
  await visitor.press('Enter');
  await visitor.hasFocusOn(closed('(+44) United Kingdom'));

  await visitor.press('Enter');
  await visitor.hasFocusOn(search);
  await visitor.type('254');
  await visitor.hover(row('(+254) Kenya'));
  await visitor.hover(search);
  await visitor.press('Enter');
  await visitor.hasFocusOn(closed('(+254) Kenya'));
});
