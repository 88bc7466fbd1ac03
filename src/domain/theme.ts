/**
 * Makes any accent colour of a subtenant readable: every text pair reaches 7:1. Hue is kept; lightness moves in small
 * steps, chroma is reduced only where the screen cannot show it.
 */

/** The colours derived from an accent, as `#RRGGBB`. */
export type AccentColours = {
  readonly solid: string;
  readonly hover: string;
  readonly pressed: string;
  readonly onSolid: string;
  readonly link: string;
  readonly tint: string;
};

/** The colours of the porch and of the panel under it, by the names of their custom properties. */
export type PorchColours = Readonly<typeof DAWN>;

/** The colours of errors. */
export type DangerColours = { readonly text: string; readonly tint: string };

/** The same for both schemes. */
export type AccentTheme = Readonly<Record<Scheme, AccentColours>>;

type Scheme = 'light' | 'dark';

type Triple = readonly [number, number, number];
type Oklch = {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
};

const WANTED_RATIO = 7;
const STEP = 0.005;
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

/** The product's own porch by daylight, from the sky inwards; the caption stands on the panel's ground (decision 082). */
const DAWN = {
  sky: '#F5BF9B',
  'arch-1': '#FADCC6',
  'arch-2': '#A9D0C8',
  'arch-3': '#CBE3DD',
  'arch-4': '#E8F2ED',
  panel: '#0B4A52',
  frame: '#0B4A52',
  'step-1': '#D3E2DB',
  'step-2': '#93B5AE',
  'panel-text': '#FFF6EA',
  'panel-body': '#EAF3EE',
  'panel-border': '#A9C4BD',
  leaf: '#B84D33',
  inset: '#E58A6C',
  knob: '#FFE0A0',
  pot: '#C9573B',
  rim: '#E07A5A',
  'green-1': '#2F7F80',
  'green-2': '#4A9A8C',
  'green-3': '#1B636A',
  iron: '#0B4A52',
  /** By day there are none. */
  star: 'none',
  /** How strong the light on the page is. */
  beam: '0.5',
};
const NIGHT: PorchColours = {
  ...DAWN,
  sky: '#0A343B',
  'arch-1': '#0D3F47',
  'arch-2': '#124E56',
  'arch-3': '#1B636A',
  'arch-4': '#2F7F80',
  panel: '#072A30',
  frame: '#05232A',
  'step-1': '#D9E6DF',
  'step-2': '#A9C4BD',
  'panel-text': '#FBF6E9',
  'panel-body': '#DCE7E2',
  'panel-border': '#7FA9A8',
  'green-1': '#5FB39B',
  'green-2': '#7CC7A8',
  'green-3': '#3F9784',
  iron: '#D9E6DF',
  star: '#FBF6E9',
  beam: '0.26',
};
/** Signed out: the light is off, the lamp stays. The same for all subtenants, by day and by night. */
const DIM: Partial<PorchColours> = {
  sky: '#06191D',
  'arch-1': '#08222A',
  'arch-2': '#0A2A31',
  'arch-3': '#0C333A',
  'arch-4': '#103D44',
  panel: '#04161A',
  frame: '#04161A',
  'step-1': '#5F7D7B',
  'step-2': '#3F5C5B',
  leaf: '#984F39',
  inset: '#BB735A',
  knob: '#8A7A55',
  pot: '#6B3527',
  rim: '#7D4232',
  'green-1': '#2D5F55',
  'green-2': '#3A7266',
  'green-3': '#245046',
  iron: '#A9C4BD',
  star: '#9FB6B3',
};
const DAWN_ARCHES = [0.83, 0.9, 0.95] as const;
/** Between these hues, in degrees, the usual arches would look like the dawn sky. */
const SKY_HUES = { from: 30, to: 90, arches: [0.75, 0.84, 0.95] } as const;
const NIGHT_ARCHES = [0.39, 0.46, 0.55] as const;
/** Maximum chroma, from the second arch inwards; the ground is as the second. */
const ARCH_CHROMA = [0.08, 0.055, 0.025] as const;
const GROUND_RATIO = 9;
const LINE_RATIO = 5;

/**
 * Returns the porch's colours. Sky and first arch are the same for all subtenants; the rest of the house takes the
 * accent's hue.
 */
export function porchColours(accent: string | null): Readonly<Record<Scheme, PorchColours>> {
  if (!isAccent(accent)) return { light: DAWN, dark: NIGHT };
  const { lightness, chroma, hue } = toOklch(accent);
  const shade = (at: number, most: number) =>
    toHex({ lightness: at, chroma: Math.min(chroma, most), hue });
  const archesAt = ([second, third, fourth]: readonly [number, number, number]) => ({
    'arch-2': shade(second, ARCH_CHROMA[0]),
    'arch-3': shade(third, ARCH_CHROMA[1]),
    'arch-4': shade(fourth, ARCH_CHROMA[2]),
  });
  const isNearSky = degrees(hue) >= SKY_HUES.from && degrees(hue) <= SKY_HUES.to;
  const ground = fit(
    shade(Math.min(lightness, 0.4), ARCH_CHROMA[0]),
    DAWN['panel-text'],
    -1,
    GROUND_RATIO,
  );
  const nightGround = shade(0.26, 0.05);
  return {
    light: {
      ...DAWN,
      ...archesAt(isNearSky ? SKY_HUES.arches : DAWN_ARCHES),
      panel: ground,
      frame: ground,
      iron: ground,
      'step-1': shade(0.91, 0.03),
      'step-2': shade(0.75, 0.05),
      'panel-border': fit(shade(0.78, 0.07), ground, 1, LINE_RATIO),
    },
    dark: {
      ...NIGHT,
      ...archesAt(NIGHT_ARCHES),
      panel: nightGround,
      frame: shade(0.22, 0.04),
      'panel-border': fit(shade(0.7, 0.05), nightGround, 1, LINE_RATIO),
    },
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

function degrees(hue: number): number {
  return ((hue * 180) / Math.PI + 360) % 360;
}

function apart(one: number, other: number): number {
  const difference = Math.abs(degrees(one) - degrees(other));
  return Math.min(difference, 360 - difference);
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

const isAccent = (accent: string | null): accent is string =>
  accent !== null && /^#[\da-f]{6}$/i.test(accent);

/** Returns WCAG's contrast ratio of two `#RRGGBB` colours. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function fit(accent: string, ground: string, direction: 1 | -1, ratio = WANTED_RATIO): string {
  const { lightness, chroma, hue } = toOklch(accent);
  let at = Math.min(0.97, Math.max(0.05, lightness));
  let colour = toHex({ lightness: at, chroma, hue });
  while (contrast(colour, ground) < ratio && at > 0.02 && at < 0.995) {
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

/** Converts to Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab/, in polar form. */
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

/** Converts to sRGB, reducing chroma until a screen can show the colour. */
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
