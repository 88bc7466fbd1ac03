import { type Light, houseWindows } from '#domain/looks/night-house.ts';
import styles from './night-house.module.css';

type NightHouseProps = { readonly lights: readonly Light[] };
type Place = readonly [x: number, y: number];

/** The windows of the house, the one in the middle first. */
const PLACES: readonly Place[] = [
  [182, 216],
  [86, 248],
  [278, 248],
  [80, 352],
  [284, 352],
];
/** Those of the strip of a phone. */
const STRIP_PLACES: readonly Place[] = [
  [42, 36],
  [116, 36],
  [190, 36],
];
/** The width of a letter on a plate, in units of the drawing. */
const LETTER = 9.4;

/** Draws My account's house by night, with a lit window for each device. Its shapes are in `assets/icons.svg`. */
export function NightHouse({ lights }: NightHouseProps) {
  return <Night box="0 0 416 650" shape="house" places={PLACES} lights={lights} />;
}

/** Draws the same as a strip above the title, for phones. */
export function NightStrip({ lights }: NightHouseProps) {
  return <Night box="0 0 390 148" shape="strip" places={STRIP_PLACES} lights={lights} />;
}

type NightProps = NightHouseProps & {
  readonly box: string;
  readonly shape: string;
  readonly places: readonly Place[];
};

function Night({ box, shape, places, lights }: NightProps) {
  const windows = houseWindows(lights, places.length);
  return (
    <svg
      className={styles.house}
      viewBox={box}
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
    >
      <use href={`#n-${shape}`} />
      {places.map(([x, y], index) => {
        const light = windows[index];
        return (
          <g key={x} transform={`translate(${x} ${y})`}>
            {light?.isHere && <circle cx="26" cy="32" r="54" className={styles.halo} />}
            {light && !light.isOut && <circle cx="26" cy="32" r="41" className={styles.halo} />}
            <use href={light && !light.isOut ? '#n-lit' : '#n-dark'} />
            {light?.isOut && <use href="#n-lit" className={styles.out} />}
            {light?.name && <Plate name={light.name} />}
          </g>
        );
      })}
    </svg>
  );
}

/** Draws the window of one device, for its row. */
export function NightWindow({ isHere, isOut }: Omit<Light, 'name'>) {
  return (
    <svg className={`${styles.house} ${styles.window}`} viewBox="-8 -8 68 76" aria-hidden="true">
      {isHere && <circle cx="26" cy="32" r="33" className={styles.near} />}
      <use href={isOut ? '#n-dark' : '#n-lit'} />
      {isOut && <use href="#n-lit" className={styles.out} />}
    </svg>
  );
}

function Plate({ name }: { readonly name: string }) {
  const width = name.length * LETTER + 18;
  return (
    <>
      <rect x={26 - width / 2} y="67" width={width} height="24" rx="12" fill="var(--n-frame)" />
      <text x="26" y="84.5" className={styles.name}>
        {name}
      </text>
    </>
  );
}
