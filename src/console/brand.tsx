import type { BrandPreview } from '#contract/console.ts';
import type { AccentPair } from '#domain/looks/theme.ts';
import { fill } from '#locales/fill.ts';
import { subtenantsDesk as t } from '#locales/operator/console-areas.ts';
import { Alert } from '#portal/ui/alert.tsx';
import parts from './parts.module.css';
import { State } from './parts.tsx';
import styles from './subtenant.module.css';

/** WCAG's ratio for text at AAA, which the theme reaches with any accent. */
const WANTED = 7;
const ratioOf = (ratio: number) =>
  fill(t.ratio, { ratio: (Math.floor(ratio * 10) / 10).toFixed(1) });

/** Renders whether people can read words in this color. */
export function Readable({ brand: { asGiven, pairs } }: { readonly brand: BrandPreview }) {
  const [button] = pairs;
  return (
    <div className={styles.readable} data-typed="readable">
      {asGiven !== null && asGiven < WANTED && (
        <Alert tone="info" title={t.darkerTitle}>
          {fill(t.darker, { ratio: ratioOf(asGiven), color: button?.ground ?? '' })}
        </Alert>
      )}
      {asGiven !== null && asGiven >= WANTED && <Alert tone="success">{t.fits}</Alert>}
      <h2>{t.readable}</h2>
      <ul>
        {pairs.map((pair) => (
          <li key={pair.use}>
            <Swatch pair={pair} />
            {t.uses[pair.use]}
            <State tone="ok">{ratioOf(pair.ratio)}</State>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** SVG, because the policy allows no inline style. */
function Swatch({ pair: { ground, words } }: { readonly pair: AccentPair }) {
  return (
    <svg width="62" height="42" viewBox="0 0 62 42" aria-hidden="true">
      <rect width="62" height="42" rx="8" fill={ground} />
      <text x="31" y="28" textAnchor="middle" fontSize="20" fontWeight="700" fill={words}>
        Aa
      </text>
    </svg>
  );
}

const FRAMES = [
  { size: 'wide', what: 'page', theme: 'light', title: t.frames.wide },
  { size: 'phone', what: 'page', theme: 'light', title: t.frames.phone },
  { size: 'phone', what: 'page', theme: 'dark', title: t.frames.dark },
  { size: 'mail', what: 'mail', theme: 'light', title: t.frames.mail },
] as const;

/** Renders the sign-in page and a mail as people will see them, in frames that no key and no press enters. */
export function Shown({ brand: { frames } }: { readonly brand: BrandPreview }) {
  return (
    <section aria-labelledby="shown">
      <h2 id="shown">{t.shown}</h2>
      <div className={styles.shown} data-typed="shown">
        {FRAMES.map(({ size, what, theme, title }) => (
          <figure
            key={title}
            className={`${parts.box} ${styles.frame} ${styles[size] ?? ''}`}
            inert
          >
            <iframe
              title={title}
              src={`${frames}&${String(new URLSearchParams({ what, theme }))}`}
              tabIndex={-1}
            />
          </figure>
        ))}
      </div>
      <p className={parts.lead}>{t.shownNote}</p>
    </section>
  );
}
