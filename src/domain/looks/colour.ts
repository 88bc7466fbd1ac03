/** Arithmetic of colours: contrast by WCAG, and OKLCH. */

export type Scheme = 'light' | 'dark';

type Triple = readonly [number, number, number];

type Oklch = {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
};

const WANTED_RATIO = 7;

const STEP = 0.005;

export function degrees(hue: number): number {
  return ((hue * 180) / Math.PI + 360) % 360;
}

export function apart(one: number, other: number): number {
  const difference = Math.abs(degrees(one) - degrees(other));
  return Math.min(difference, 360 - difference);
}

export const isAccent = (accent: string | null): accent is string =>
  accent !== null && /^#[\da-f]{6}$/i.test(accent);

/** Returns WCAG's contrast ratio of two `#RRGGBB` colours. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

export function fit(accent: string, ground: string, direction: 1 | -1, ratio = WANTED_RATIO) {
  const { lightness, chroma, hue } = toOklch(accent);
  let at = Math.min(0.97, Math.max(0.05, lightness));
  let colour = toHex({ lightness: at, chroma, hue });
  while (contrast(colour, ground) < ratio && at > 0.02 && at < 0.995) {
    at += direction * STEP;
    colour = toHex({ lightness: at, chroma, hue });
  }
  return colour;
}

export function shift(colour: string, by: number): string {
  const { lightness, chroma, hue } = toOklch(colour);
  return toHex({ lightness: Math.min(0.98, Math.max(0.05, lightness + by)), chroma, hue });
}

export function accentTint(accent: string, lightness: number, share: number): string {
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
export function toOklch(hex: string): Oklch {
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
export function toHex(colour: Oklch): string {
  const rgb = toLinear(colour);
  const isShown = rgb.every((channel) => channel > -1e-4 && channel < 1.0001);
  if (!isShown && colour.chroma >= 0.002) return toHex({ ...colour, chroma: colour.chroma * 0.97 });
  const hex = rgb.map((channel) => {
    const byte = Math.round(gamma(Math.min(1, Math.max(0, channel))) * 255);
    return byte.toString(16).padStart(2, '0');
  });
  return `#${hex.join('')}`.toUpperCase();
}
