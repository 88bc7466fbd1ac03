import type { Door } from '#domain/looks/door.ts';
import type { Thing } from '#domain/looks/porch-door.ts';
import type { Panel } from '../flow/view.ts';
import { Porch } from '../ui/porch.tsx';
import styles from './banner.module.css';

type StillPanelProps = {
  readonly panel: Panel;
  readonly door: Door;
  readonly thing: Thing | undefined;
};

/** Renders the side panel of a screen without news: the porch and its text. */
export function StillPanel({ panel, door, thing }: StillPanelProps) {
  const near = thing ? 'nearBeside' : 'near';
  return (
    <aside className={`${styles.panel} ${panel.drawing?.className ?? ''}`}>
      <div className={styles.stage}>
        {panel.drawing?.beside ?? (
          <Porch door={door} thing={thing} view={panel.isNear ? near : 'narrow'} />
        )}
      </div>
      <div className={styles.caption} data-caption="quiet">
        <h2 className={styles.title}>{panel.title}</h2>
        <p className={styles.text}>{panel.text}</p>
      </div>
      {panel.soon && (
        <div className={styles.caption} data-caption="soon" hidden>
          <h2 className={styles.title}>{panel.soon.title}</h2>
          <p className={styles.text}>{panel.soon.text}</p>
        </div>
      )}
    </aside>
  );
}
