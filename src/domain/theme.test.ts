import { describe, expect, it, test } from 'vitest';
import { accentCss, accentTheme, contrast } from './theme.ts';

const PAPER = '#F5F6F2';
const INK = '#12262A';
const DARK_INK_TEXT = '#F3F1E8';
const DARK_PAPER = '#0D191C';
const DARK_SURFACE = '#14252A';

describe('accentTheme', () => {
  test.each([
    ['#FFD400', '#695705', '#635102', '#FFD400'],
    ['#00A3E0', '#035F85', '#07597C', '#32B8F6'],
    ['#E4002B', '#B30220', '#A8091F', '#FF8C87'],
    ['#7AC143', '#356403', '#315E00', '#7AC143'],
    ['#FF6B00', '#973D02', '#8E3A06', '#FE915D'],
  ])('%s becomes solid %s, link %s, dark %s', (accent, solid, link, dark) => {
    expect(accentTheme(accent)).toMatchObject({ light: { solid, link }, dark: { solid: dark } });
  });

  test.each([
    ['#6D28D9', '#6D28D9'],
    ['#0B4A52', '#0B4A52'],
    ['#000000', '#000000'],
    ['#FFFFFF', '#595959'],
  ])('%s becomes solid %s', (accent, solid) => {
    expect(accentTheme(accent)?.light.solid).toBe(solid);
  });

  it('lifts black out of a dark page', () => {
    expect(accentTheme('#000000')?.dark.solid).toBe('#AEAEAE');
  });

  const ACCENTS = ['00', '40', '80', 'c0', 'ff'].flatMap((r) =>
    ['00', '40', '80', 'c0', 'ff'].flatMap((g) =>
      ['00', '40', '80', 'c0', 'ff'].map((b) => `#${r}${g}${b}`),
    ),
  );

  test.each(ACCENTS)('every text pair of %s reaches 7:1', (accent) => {
    const theme = accentTheme(accent);
    if (!theme) throw new Error(`${accent} was refused`);
    const { light, dark } = theme;
    const pairs = [
      [light.solid, light.onSolid],
      [light.hover, light.onSolid],
      [light.pressed, light.onSolid],
      [light.link, PAPER],
      [light.link, '#FFFFFF'],
      [light.tint, INK],
      [dark.solid, dark.onSolid],
      [dark.hover, dark.onSolid],
      [dark.pressed, dark.onSolid],
      [dark.link, DARK_SURFACE],
      [dark.link, DARK_PAPER],
      [dark.tint, DARK_INK_TEXT],
    ] as const;
    for (const [a, b] of pairs) {
      expect(contrast(a, b), `${a} on ${b}`).toBeGreaterThanOrEqual(7);
    }
  });

  test.each([null, '', 'red', '#fff', '#12345', '#GGGGGG', '#000000;}', 'url(x)'])(
    'refuses %s',
    (accent) => {
      expect(accentTheme(accent)).toBeNull();
      expect(accentCss(accent)).toBe('');
    },
  );
});

describe('accentCss', () => {
  it('[GEN-03] sets only what may follow an accent, for the device setting and for the visitor’s choice', () => {
    const css = accentCss('#E4002B');
    expect(css).toContain(':root{--brand:#B30220;');
    expect(css).toContain('--link:#A8091F');
    expect(css.match(/--brand:#FF8C87/g)).toHaveLength(2);
    expect(css).toContain('prefers-color-scheme:dark');
    expect(css).not.toMatch(/--(?:danger|success|ink|paper|lamp|panel)/);
  });
});
