import {
  apart,
  contrast,
  fit,
  isAccent,
  type Scheme,
  shift,
  accentTint,
  toOklch,
} from './colour.ts';
import { DIM, porchColours } from './porch-colours.ts';

/**
 * Makes any accent colour of a subtenant readable: every text pair reaches 7:1. Hue is kept; lightness moves in small
 * steps, chroma is reduced only where the screen cannot show it.
 */

/** The colours derived from an accent, as `#RRGGBB`. */
export type AccentColours = Readonly<
  Record<'solid' | 'hover' | 'pressed' | 'onSolid' | 'link' | 'tint', string>
>;

/** The colours of errors. */
type DangerColours = { readonly text: string; readonly tint: string };

/** The same for both schemes. */
export type AccentTheme = Readonly<Record<Scheme, AccentColours>>;

/** The background colours; `tokens.css` holds the same values. */
const WHITE = '#FFFFFF';
const PAPER = '#F5F6F2';
const DARK_SURFACE = '#14252A';
/** Darker than the product's own, so that text on the accent stays readable too. */
const DARK_WORDS = '#001214';

/** The product's own colours. */
const OWN: AccentTheme = {
  light: {
    solid: '#0B4A52',
    hover: '#083A41',
    pressed: '#062C32',
    onSolid: '#FFFFFF',
    link: '#0B4A52',
    tint: '#DCECE9',
  },
  dark: {
    solid: '#93D5CF',
    hover: '#B2E3DE',
    pressed: '#7CC6BF',
    onSolid: '#06282C',
    link: '#93D5CF',
    tint: '#173A3E',
  },
};

/** @returns `null` for anything but `#RRGGBB`: then the product's own colours are used */
export function accentTheme(accent: string | null): AccentTheme | null {
  if (!isAccent(accent)) return null;
  const solid = fit(accent, WHITE, -1);
  const link = fit(accent, PAPER, -1);
  const dark = fit(accent, DARK_SURFACE, 1);
  return {
    light: {
      solid,
      hover: shift(solid, -0.06),
      pressed: shift(solid, -0.1),
      onSolid: WHITE,
      link,
      tint: accentTint(accent, 0.93, 0.18),
    },
    dark: {
      solid: dark,
      hover: shift(dark, 0.06),
      pressed: shift(dark, -0.04),
      onSolid: DARK_WORDS,
      link: dark,
      tint: accentTint(accent, 0.32, 0.3),
    },
  };
}

/** Two colors that words are read by where they stand on one that follows the accent, and their contrast. */
export type AccentPair = {
  readonly use: 'button' | 'link' | 'chosen' | 'porch' | 'darkButton';
  readonly ground: string;
  readonly words: string;
  readonly ratio: number;
};

const INK = '#12262A';

/** Returns the pairs that an accent makes, and how strong the accent alone would be under white words. */
export function accentPairs(accent: string | null): {
  readonly asGiven: number | null;
  readonly pairs: readonly AccentPair[];
} {
  const { light, dark } = accentTheme(accent) ?? OWN;
  const porch = porchColours(accent).light;
  const pair = (use: AccentPair['use'], ground: string, words: string): AccentPair => {
    return { use, ground, words, ratio: contrast(ground, words) };
  };
  return {
    asGiven: isAccent(accent) ? contrast(accent, WHITE) : null,
    pairs: [
      pair('button', light.solid, light.onSolid),
      pair('link', PAPER, light.link),
      pair('chosen', light.tint, INK),
      pair('porch', porch.panel, porch['panel-text']),
      pair('darkButton', dark.solid, dark.onSolid),
    ],
  };
}

const RED: Readonly<Record<Scheme, DangerColours>> = {
  light: { text: '#931D16', tint: '#FCEBE8' },
  dark: { text: '#FFB3A8', tint: '#3A1714' },
};
const BERRY: Readonly<Record<Scheme, DangerColours>> = {
  light: { text: '#8A0F45', tint: '#FBE7EF' },
  dark: { text: '#FFAFD0', tint: '#3A1226' },
};
/** These never follow an accent: messages, and the product's own mark. */
const TONES: Readonly<Record<Scheme, Readonly<Record<string, string>>>> = {
  light: {
    success: '#17552B',
    'success-tint': '#E3F2E4',
    warning: '#663C00',
    'warning-tint': '#FFF1D6',
    mark: '#0B4A52',
    info: '#123F78',
    'info-tint': '#E4EDF8',
  },
  dark: {
    success: '#A2DDA9',
    'success-tint': '#12301B',
    warning: '#FFD892',
    'warning-tint': '#33240A',
    mark: '#2F7F80',
    info: '#AFCFFF',
    'info-tint': '#13294A',
  },
};
const TOO_NEAR_DEGREES = 35;
/** Chroma below which a colour does not look red. */
const RED_CHROMA = 0.04;

/** Returns the colours of errors. Beside a reddish accent errors are berry: a button must not look like an error. */
export function dangerColours(accent: string | null): Readonly<Record<Scheme, DangerColours>> {
  if (!isAccent(accent)) return RED;
  const { chroma, hue } = toOklch(accent);
  const fromRed = apart(hue, toOklch(RED.light.text).hue);
  const fromBerry = apart(hue, toOklch(BERRY.light.text).hue);
  const isTooNear = chroma >= RED_CHROMA && fromRed <= TOO_NEAR_DEGREES;
  // A berry accent keeps red: the farther of the two.
  return isTooNear && fromBerry > fromRed ? BERRY : RED;
}

/** Returns the style of a page for the subtenant's accent, over the tokens. */
export function accentCss(accent: string | null): string {
  const light = declarations(accent, 'light');
  const dark = declarations(accent, 'dark');
  return (
    `:root{${light}}` +
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
    // Printed pages are white, whatever scheme was chosen.
    `@media screen{:root[data-theme=dark]{${dark}}}` +
    `[data-door=lamp]{${asCss(DIM)}}`
  );
}

function declarations(accent: string | null, scheme: Scheme): string {
  const { solid, hover, pressed, onSolid, link, tint } = (accentTheme(accent) ?? OWN)[scheme];
  const danger = dangerColours(accent)[scheme];
  return asCss({
    ...porchColours(accent)[scheme],
    brand: solid,
    'brand-hover': hover,
    'brand-pressed': pressed,
    'on-brand': onSolid,
    link,
    tint,
    danger: danger.text,
    'danger-tint': danger.tint,
    ...TONES[scheme],
  });
}

const asCss = (colours: Readonly<Record<string, string>>) =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
