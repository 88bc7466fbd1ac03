import { fill } from '#locales/fill.ts';
import { ui } from '#texts/ui.ts';
import headingStyles from '../ui/page-heading.module.css';
import { Languages } from './languages.tsx';

/** Renders the visitor's position in two steps; the first one ends its line with the choice of language. */
export function Step({ n }: { n: 1 | 2 }) {
  return (
    <div className={headingStyles.line}>
      <p className={headingStyles.step}>{fill(ui.step, { n })}</p>
      {n === 1 && <Languages />}
    </div>
  );
}
