import { fill } from '#locales/fill.ts';
import { ui } from '#texts/ui.ts';
import headingStyles from '../ui/page-heading.module.css';
import { Languages } from './languages.tsx';

type StepProps = {
  readonly n: 1 | 2;
  /** The choice of language ends the line; My account has a row for it. */
  readonly hasLanguages?: boolean;
};

/** Renders the visitor's position in two steps. */
export function Step({ n, hasLanguages = n === 1 }: StepProps) {
  return (
    <div className={headingStyles.line}>
      <p className={headingStyles.step}>{fill(ui.step, { n })}</p>
      {hasLanguages && <Languages />}
    </div>
  );
}
