import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accentCss } from '#domain/looks/theme.ts';
import { contrast } from '#domain/looks/colour.ts';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const HEX = '(#[\\da-f]{6})';

const derived = accentCss(null);

/** The value of a token in both schemes, as it stands in the file or follows from the accent. */
function token(name: string): readonly [light: string, dark: string] {
  const found = [':root', ':root[data-theme=dark]'].map((scheme) => {
    const block = derived.slice(derived.lastIndexOf(`${scheme}{`));
    return new RegExp(`[{;]--${name}:${HEX}`, 'i').exec(block.slice(0, block.indexOf('}')))?.[1];
  });
  if (found[0] && found[1]) return [found[0], found[1]];
  const both = new RegExp(`--${name}: light-dark\\(${HEX}, ${HEX}\\);`).exec(css);
  if (both?.[1] && both[2]) return [both[1], both[2]];
  const one = new RegExp(`--${name}: ${HEX};`).exec(css);
  if (!one?.[1]) throw new Error(`No token --${name}`);
  return [one[1], one[1]];
}

const TEXT = 7;
const CONTROL = 5;
const GRAPHIC = 3;

describe('contrast of the tokens, light and dark', () => {
  test.each([
    ...['paper', 'surface', 'sunken', 'tint'].map((ground) => ['ink', ground, TEXT] as const),
    ...['danger', 'success', 'warning', 'info'].map(
      (tone) => ['ink', `${tone}-tint`, TEXT] as const,
    ),
    ...['paper', 'surface', 'sunken'].map((ground) => ['ink-2', ground, TEXT] as const),
    ['paper', 'ink-2', TEXT],
    ...['paper', 'surface', 'tint', 'sunken'].map((ground) => ['link', ground, TEXT] as const),
    ['on-brand', 'brand', TEXT],
    ['on-brand', 'brand-hover', TEXT],
    ['on-brand', 'brand-pressed', TEXT],
    ['danger', 'paper', TEXT],
    ['danger', 'surface', TEXT],
    ['danger', 'danger-tint', TEXT],
    ['success', 'paper', TEXT],
    ['success', 'surface', TEXT],
    ['success', 'sunken', TEXT],
    ['success', 'success-tint', TEXT],
    ['warning', 'paper', TEXT],
    ['warning', 'warning-tint', TEXT],
    ['info', 'info-tint', TEXT],
    ['border', 'paper', CONTROL],
    ['border', 'surface', CONTROL],
    ['panel-text', 'panel', TEXT],
    ['panel-body', 'panel', TEXT],
    ['panel-border', 'panel', CONTROL],
    ['lamp', 'panel', GRAPHIC],
    ['brand', 'tint', GRAPHIC],
    ['brand', 'sunken', GRAPHIC],
  ] as const)('%s on %s reaches %d:1', (front, ground, wanted) => {
    const [light, dark] = token(front);
    const [lightGround, darkGround] = token(ground);
    expect(contrast(light, lightGround), 'light').toBeGreaterThanOrEqual(wanted);
    expect(contrast(dark, darkGround), 'dark').toBeGreaterThanOrEqual(wanted);
  });

  test.each(['paper', 'surface', 'sunken', 'tint', 'panel'])(
    'one colour of the focus ring shows on %s',
    (ground) => {
      for (const scheme of [0, 1] as const) {
        const at = token(ground)[scheme];
        const ring = ['ink', 'lamp'].map((name) => contrast(token(name)[scheme], at));
        expect(Math.max(...ring)).toBeGreaterThanOrEqual(GRAPHIC);
      }
    },
  );
});
