import { expect } from '@playwright/test';
import type { Key, Tab } from './drivers/driver.ts';
import { find, isWhollyInView, middleOf, type Target } from './in-page.ts';

export const button = (name: string): Target => ({ css: 'button', name });
export const link = (name: string): Target => ({ css: 'a[href]', name });
export const heading = (name: string): Target => ({ css: 'h1', name });
/** A checkbox or a radio button, by its words. */
export const choice = (name: string): Target => ({ css: 'label:has(input)', name });
/** By the name that it is sent under. */
export const field = (name: string): Target => ({ css: `input[name="${name}"]` });
export const main: Target = { css: 'main' };
/** Opens the facts that a demo module received. */
export const facts: Target = { css: 'summary', name: 'For developers' };

/** How long a browser may take until something is so. */
const PATIENCE = { timeout: 15_000, intervals: [50, 100, 200] };

/** More stops than any screen has. */
const MOST_STOPS = 60;

export type Visitor = ReturnType<typeof createVisitor>;

/** One person at one browser. The page may not be so far yet: whatever is expected of it is waited for. */
export function createVisitor(tab: Tab, origin: string, hasScript: boolean) {
  const { point, type, resize } = tab;

  /** Asks again until nothing fails. A page that goes away while it is asked is one of the failures. */
  const until = (isSo: () => Promise<void>) => expect(isSo).toPass(PATIENCE);

  /** What a function answers in the page. */
  const evaluate = async <T>(inPage: () => T): Promise<T> =>
    (await tab.evaluate(`(${inPage.toString()})()`)) as T;

  /** What a function answers in the page about an element; `null` where there is none. */
  const ask = async <T>(target: Target, about: (element: HTMLElement) => T): Promise<T | null> =>
    (await tab.evaluate(
      `((element) => (element ? (${about.toString()})(element) : null))((${find.toString()})(${JSON.stringify(target)}))`,
    )) as T | null;

  const textOf = (target: Target) => ask(target, (element) => element.innerText);
  const isFocused = (target: Target) =>
    ask(target, (element) => element === document.activeElement);

  async function press(...keys: readonly Key[]): Promise<void> {
    for (const key of keys) await tab.press(key);
  }

  /** Rests the pointer on a target that stands still: a message above it may push it down meanwhile. */
  async function hover(target: Target): Promise<{ x: number; y: number }> {
    const place = { x: Number.NaN, y: Number.NaN };
    await until(async () => {
      const middle = await ask(target, middleOf);
      expect(middle, `${nameOf(target)} can be pointed at`).not.toBeNull();
      const before = { ...place };
      Object.assign(place, middle);
      expect(place, `${nameOf(target)} stands still`).toEqual(before);
    });
    await point(place.x, place.y);
    return place;
  }

  async function click(target: Target): Promise<void> {
    const { x, y } = await hover(target);
    await tab.click(x, y);
  }

  return {
    point,
    type,
    resize,
    until,
    evaluate,
    ask,
    press,
    hover,
    click,

    /** Goes to a page and waits until it answers by itself. */
    async open(path: string) {
      await tab.goto(new URL(path, origin).href);
      if (!hasScript) return;
      await until(async () => {
        // Somebody begins to use it.
        const isAwake = await evaluate(() => {
          dispatchEvent(new Event('focusin'));
          // A page of text and links stays as it is (decision 261).
          const isStill = document.scripts[0]?.text.includes('"waking":"whenPressed"');
          return isStill || 'porchlightHydrated' in window;
        });
        expect(isAwake, `${path} is awake`).toBe(true);
      });
    },

    /** Puts a text in the place of whatever is in a field. */
    async fill(target: Target, text: string) {
      await click(target);
      await ask(target, (element) => (element as HTMLInputElement).select());
      await type(text);
    },

    /** Presses Tab until a target has the focus. */
    async tabTo(target: Target) {
      for (let stop = 0; stop < MOST_STOPS; stop += 1) {
        await press('Tab');
        if (await isFocused(target)) return;
      }
      throw new Error(`No way by Tab to ${nameOf(target)}.`);
    },

    async sees(target: Target, text = '') {
      await until(async () => expect(await textOf(target), nameOf(target)).toContain(text));
    },

    async seesNo(target: Target) {
      await until(async () => expect(await textOf(target), nameOf(target)).toBeNull());
    },

    async seesWhole(target: Target) {
      await until(async () =>
        expect(await ask(target, isWhollyInView), `${nameOf(target)} is in view`).toBe(true),
      );
    },

    async hasFocusOn(target: Target) {
      await until(async () =>
        expect(await isFocused(target), `${nameOf(target)} has the focus`).toBe(true),
      );
    },
  };
}

const nameOf = ({ css, name }: Target) => (name ? `${css} '${name}'` : css);
