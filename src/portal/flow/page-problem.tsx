import type { ReactNode } from 'react';
import type { Problem } from '#domain/flow/state.ts';
import { FormProblem } from './form-problem.tsx';
import { OfflineNote } from './offline-note.tsx';

type PageProblemProps = {
  readonly problem: Problem | null | undefined;
  /** The form to send again. */
  readonly form?: string;
  /** Possible next steps of the visitor. */
  readonly children?: ReactNode;
};

/** Shows why a form was refused, or that it could not be sent. */
export function PageProblem({ problem = null, form = '', children }: PageProblemProps) {
  return (
    <>
      <OfflineNote problem={problem} form={form} />
      <FormProblem problem={problem}>{children}</FormProblem>
    </>
  );
}
