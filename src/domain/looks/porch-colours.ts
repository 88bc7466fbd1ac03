import { degrees, fit, isAccent, type Scheme, toHex, toOklch } from './colour.ts';

/** The colours of the porch and of the panel under it, by the names of their custom properties. */
type PorchColours = Readonly<typeof DAWN>;

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
export const DIM: Partial<PorchColours> = {
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
