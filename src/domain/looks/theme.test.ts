import { describe, expect, it, test } from 'vitest';
import { accentCss, accentTheme } from './theme.ts';
import { contrast } from './colour.ts';

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
      expect(accentCss(accent)).toBe(accentCss(null));
    },
  );
});

/** What the page says of a scheme. */
function cssOf(accent: string | null, scheme: 'light' | 'dark'): Readonly<Record<string, string>> {
  const css = accentCss(accent);
  const start = css.indexOf(scheme === 'light' ? ':root{' : ':root[data-theme=dark]{');
  const pairs = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start)).split(';');
  return Object.fromEntries(pairs.map((pair) => pair.slice(2).split(':')));
}

describe('accentCss', () => {
  it('[GEN-03] sets the accent’s colours for the device setting and for the visitor’s choice', () => {
    expect(cssOf('#E4002B', 'light')).toMatchObject({ brand: '#B30220', link: '#A8091F' });
    expect(accentCss('#E4002B').match(/--brand:#FF8C87/g)).toHaveLength(2);
    expect(accentCss('#E4002B')).toContain('prefers-color-scheme:dark');
  });

  it('[GEN-03] keeps success, warning and info whatever the accent, and never sets ink, paper or the focus ring', () => {
    const own = cssOf(null, 'light');
    for (const accent of ['#E4002B', '#7AC143', '#00A3E0']) {
      const { success, warning, info } = cssOf(accent, 'light');
      expect([success, warning, info]).toEqual([own.success, own.warning, own.info]);
      expect(accentCss(accent)).not.toMatch(/--(?:ink|paper|surface|lamp):/);
    }
  });
});

/** Accents of the demo's subtenants, and many at random: always the same ones, for a failure has to come again. */
function someAccents(): readonly (string | null)[] {
  let seed = 20_261_122;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const accents = Array.from({ length: 400 }, () =>
    Math.floor(random() * 0x100_0000)
      .toString(16)
      .padStart(6, '0'),
  );
  return [null, '#1F5FA8', '#8A3B12', ...accents.map((accent) => `#${accent}`)];
}

/** [front, ground, at least]. */
const PAIRS = [
  ['panel-text', 'panel', 7],
  ['panel-body', 'panel', 7],
  ['panel-border', 'panel', 5],
  ['danger-tint', 'danger', 7],
] as const;

describe('the porch of a subtenant', () => {
  test.each(['light', 'dark'] as const)(
    '[N4] words on the panel and of errors reach 7:1 for every accent, %s',
    (scheme) => {
      for (const accent of someAccents()) {
        const colours = cssOf(accent, scheme);
        for (const [front, ground, wanted] of PAIRS) {
          const ratio = contrast(colours[front] ?? '', colours[ground] ?? '');
          expect(ratio, `${accent}: ${front} on ${ground}`).toBeGreaterThanOrEqual(wanted);
        }
        const paper = scheme === 'light' ? PAPER : DARK_PAPER;
        expect(contrast(colours.danger ?? '', paper)).toBeGreaterThanOrEqual(7);
        const ink = scheme === 'light' ? INK : DARK_INK_TEXT;
        expect(contrast(colours['danger-tint'] ?? '', ink)).toBeGreaterThanOrEqual(7);
      }
    },
  );

  it('[N4] the frame stands out from the inner arch, and the light from the frame, for every accent', () => {
    for (const accent of someAccents()) {
      const day = cssOf(accent, 'light');
      expect(contrast(day.frame ?? '', day['arch-4'] ?? ''), `${accent}`).toBeGreaterThanOrEqual(3);
      for (const { frame = '' } of [day, cssOf(accent, 'dark')]) {
        expect(contrast('#FFC24D', frame), `${accent}`).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it('[N4] beside a reddish accent an error is berry, beside a berry one and all others red', () => {
    const RED = '#931D16';
    const BERRY = '#8A0F45';
    expect(cssOf('#8A3B12', 'light').danger).toBe(BERRY);
    expect(cssOf('#E4002B', 'light').danger).toBe(BERRY);
    for (const accent of [null, '#8A0F45', '#1F5FA8', '#7AC143', '#5A5552']) {
      expect(cssOf(accent, 'light').danger, `${accent}`).toBe(RED);
    }
  });

  it('[N4] takes the accent’s hue, and leaves the sky as it is for everyone', () => {
    const [own, rust] = [cssOf(null, 'light'), cssOf('#8A3B12', 'light')];
    expect(rust.sky).toBe(own.sky);
    expect(rust['arch-1']).toBe(own['arch-1']);
    for (const part of ['arch-2', 'arch-3', 'arch-4', 'panel', 'frame']) {
      expect(rust[part], `${part} of rust`).not.toBe(own[part]);
    }
  });
});
