import type { Door } from '#domain/looks/door.ts';
import type { Thing } from '#domain/looks/porch-door.ts';
import styles from './porch.module.css';

/** The visible parts of the drawing in each place, by the names of its groups, and the zoom. */
const VIEWS = {
  /** In its panel: sky and ground extend to every edge. */
  scene: ['scene', '0 -30 596 630'],
  /** The same in a narrow panel. */
  narrow: ['crown', '46 -30 504 630'],
  /** Nearer: the page is about the lamp. */
  near: ['scene', '78 48 440 509'],
  /** The same with a thing beside the door. */
  nearBeside: ['scene', '100 48 440 509'],
  /** A strip across a phone. */
  crown: ['crown', '-411 124 1418 400'],
  nearCrown: ['crown', '-36 196 858 330'],
  /** Alone on the page. */
  alone: ['alone', '0 -26 596 548'],
  /** The same without its outer arch: the page is about the thing in the door. */
  close: ['alone', '80 60 436 462'],
  /** In an arch on paper. */
  paper: ['crown', '20 100 556 420'],
  /** Little more than the door. */
  mini: ['mini', '172 196 252 318'],
} as const;

export type PorchView = keyof typeof VIEWS;
type PorchProps = {
  readonly door: Door;
  readonly view: PorchView;
  readonly thing?: Thing | undefined;
};

/**
 * Renders the porch: one drawing for every page, whose door shows the visitor's progress. The shapes are in
 * `assets/icons.svg`; moving parts have a style of their own here.
 */
export function Porch({ door, view, thing }: PorchProps) {
  const cat =
    door === 'lamp' ? 'curled' : door === 'shut' && thing !== 'signpost' ? 'asleep' : 'awake';
  const [group, viewBox] = VIEWS[view];
  const parts = [group, 'spill', 'edge', 'leaf', 'knob'];
  return (
    <svg
      className={styles.porch}
      data-door={door}
      data-view={view}
      viewBox={viewBox}
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
    >
      {parts.map((name) => (
        <use key={name} href={`#p-${name}`} className={styles[name]} />
      ))}
      {thing && <use href={`#t-${thing}`} />}
      {view !== 'mini' && thing !== 'bench' && <use href={`#p-${cat}`} className={styles[cat]} />}
    </svg>
  );
}
