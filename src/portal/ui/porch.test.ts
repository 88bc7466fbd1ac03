import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Door } from '#domain/looks/door.ts';

const css = readFileSync(new URL('porch.module.css', import.meta.url), 'utf8');

/** What the style sheet says of a state, over what it says of all of them. */
function stateOf(door: Door): Readonly<Record<string, string>> {
  const blocks = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)]
    .filter(
      ([, selector]) => selector?.trim().endsWith('.porch') || selector?.includes(`'${door}'`),
    )
    .flatMap(([, , body]) => [...(body ?? '').matchAll(/(--[\w-]+): ([^;]+);/g)]);
  return Object.fromEntries(blocks.map(([, name, value]) => [name, value]));
}

const k = (door: Door) => Number(stateOf(door)['--k']);

test('[N2] the opening grows by the same sixth with each digit, from ajar on', () => {
  const doors = ['ajar', '1', '2', '3', '4', '5', '6'] as const;
  doors.forEach((door, digits) => expect(k(door)).toBeCloseTo(0.92 - 0.12 * digits, 5));
  expect([k('shut'), k('lamp')]).toEqual([1, 1]);
  expect(k('wide')).toBeLessThan(0);
});

test('[N2] a shut door shows a seam of light, a dimmed porch shows none', () => {
  expect(stateOf('shut')['--seam']).toBe('1');
  expect(stateOf('lamp')).toMatchObject({ '--seam': '0', '--lit': '0' });
  expect(stateOf('ajar')).toMatchObject({ '--seam': '0', '--lit': '1' });
});
