/**
 * Makes any accent colour of a tenant readable: every text pair made of it reaches 7:1.
 * Hue is kept; lightness moves in small steps, chroma gives way only where the screen cannot show it.
 */

/** The colours that follow from an accent, as `#RRGGBB`. */
export type AccentColours = {
  readonly solid: string;
  readonly hover: string;
  readonly pressed: string;
  readonly onSolid: string;
  readonly link: string;
  readonly tint: string;
};

/** The same for both schemes. */
export type AccentTheme = {
  readonly light: AccentColours;
  readonly dark: AccentColours;
};

type Triple = readonly [number, number, number];
type Oklch = {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
};

const WANTED_RATIO = 7;
const STEP = 0.005;
/** The grounds on which the colours stand; `tokens.css` holds the same values. */
const WHITE = '#FFFFFF';
const PAPER = '#F5F6F2';
const DARK_SURFACE = '#14252A';
/** Darker than the product's own, so that text on the accent stays readable too. */
const DARK_WORDS = '#001214';

/** @returns `null` for anything but `#RRGGBB`: then the product's own colours are used. */
export function accentTheme(accent: string | null): AccentTheme | null {
  if (accent === null || !/^#[\da-f]{6}$/i.test(accent)) return null;
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
      tint: tintOf(accent, 0.93, 0.18),
    },
    dark: {
      solid: dark,
      hover: shift(dark, 0.06),
      pressed: shift(dark, -0.04),
      onSolid: DARK_WORDS,
      link: dark,
      tint: tintOf(accent, 0.32, 0.3),
    },
  };
}

/** The style sheet that overrides the tokens by an accent; empty for the product's own colours. */
export function accentCss(accent: string | null): string {
  const theme = accentTheme(accent);
  if (!theme) return '';
  const dark = declarations(theme.dark);
  return (
    `:root{${declarations(theme.light)}}` +
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
    `:root[data-theme=dark]{${dark}}`
  );
}

function declarations(colours: AccentColours): string {
  return (
    `--brand:${colours.solid};--brand-hover:${colours.hover};--brand-pressed:${colours.pressed};` +
    `--on-brand:${colours.onSolid};--link:${colours.link};--tint:${colours.tint}`
  );
}

/** WCAG's contrast ratio of two `#RRGGBB` colours. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function fit(accent: string, ground: string, direction: 1 | -1): string {
  const { lightness, chroma, hue } = toOklch(accent);
  let at = Math.min(0.97, Math.max(0.05, lightness));
  let colour = toHex({ lightness: at, chroma, hue });
  while (contrast(colour, ground) < WANTED_RATIO && at > 0.02 && at < 0.995) {
    at += direction * STEP;
    colour = toHex({ lightness: at, chroma, hue });
  }
  return colour;
}

function shift(colour: string, by: number): string {
  const { lightness, chroma, hue } = toOklch(colour);
  return toHex({ lightness: Math.min(0.98, Math.max(0.05, lightness + by)), chroma, hue });
}

function tintOf(accent: string, lightness: number, share: number): string {
  const { chroma, hue } = toOklch(accent);
  return toHex({ lightness, chroma: chroma * share, hue });
}

function channels(hex: string): Triple {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

function gamma(channel: number): number {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab/, in polar form. */
function toOklch(hex: string): Oklch {
  const [red, green, blue] = channels(hex);
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, bb),
    hue: Math.atan2(bb, a),
  };
}

function toLinear({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Takes chroma away until a screen can show the colour. */
function toHex(colour: Oklch): string {
  const rgb = toLinear(colour);
  const isShown = rgb.every((channel) => channel > -1e-4 && channel < 1.0001);
  if (!isShown && colour.chroma >= 0.002) return toHex({ ...colour, chroma: colour.chroma * 0.97 });
  const hex = rgb.map((channel) => {
    const byte = Math.round(gamma(Math.min(1, Math.max(0, channel))) * 255);
    return byte.toString(16).padStart(2, '0');
  });
  return `#${hex.join('')}`.toUpperCase();
}
