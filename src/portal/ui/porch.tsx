import type { Door } from '#domain/door.ts';
import styles from './porch.module.css';

/** The part of the drawing that is seen, by the name of what stands behind the door there. */
const VIEWS = {
  /** In its panel: sky and ground run on to every edge. */
  scene: '0 -30 596 630',
  /** A strip across a phone. */
  crown: '-411 124 1418 400',
  /** By itself on the page. */
  alone: '0 -26 596 548',
  /** Little more than the door. */
  mini: '172 196 252 318',
} as const;

type PorchProps = { readonly door: Door; readonly view: keyof typeof VIEWS };

/**
 * The porch: one drawing for every page, whose door says how far the visitor has come. The shapes are in
 * `assets/porch.svg`, once in the HTML; what moves has a style of its own here.
 */
export function Porch({ door, view }: PorchProps) {
  const cat = door === 'lamp' ? 'curled' : door === 'shut' ? 'asleep' : 'awake';
  const parts = [view, 'spill', 'edge', 'leaf', 'knob', ...(view === 'mini' ? [] : [cat])];
  return (
    <svg
      className={styles.porch}
      data-door={door}
      data-view={view}
      viewBox={VIEWS[view]}
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
    >
      {parts.map((name) => (
        <use key={name} href={`#p-${name}`} className={styles[name]} />
      ))}
    </svg>
  );
}
