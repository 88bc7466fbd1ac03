import { useEffect, useRef, type ReactNode } from 'react';
import type { Problem } from '#domain/flow/state.ts';
import { ui } from '#texts/ui.ts';
import { useErrorTitle } from '../lib/form.ts';
import { Alert } from '../ui/alert.tsx';
import { HelpLines } from './help-lines.tsx';
import { sayText } from './say.ts';

type FormProblemProps = {
  readonly problem: Problem | null;
  /** Possible next steps of the visitor. */
  readonly children?: ReactNode;
};

/** Shows a message for a whole form. It takes the focus, so that it is read out and scrolled into view. */
export function FormProblem({ problem, children }: FormProblemProps) {
  const box = useRef<HTMLDivElement>(null);
  useErrorTitle(problem?.where === 'form');
  useEffect(() => {
    if (problem?.where === 'form') box.current?.focus();
  }, [problem]);
  if (problem?.where !== 'form') return null;
  return (
    <Alert tone="danger" title={ui.problemTitle} role="alert" focusRef={box}>
      <p>{sayText(problem.say)}</p>
      {children}
      <p>
        <HelpLines />
      </p>
    </Alert>
  );
}

/** Returns the problem of one field, in the format of forms. */
export function fieldProblem(problem: Problem | null): { readonly [field in string]?: string } {
  return problem?.where === 'field' ? { [problem.field]: sayText(problem.say) } : {};
}
