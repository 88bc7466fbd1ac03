import type { ReactNode } from 'react';
import type { FormField } from '#contract/console.ts';
import { Alert } from '#portal/ui/alert.tsx';
import { ErrorSummary } from '#portal/ui/error-summary.tsx';

type ProblemsProps = {
  /** The problem of the whole form or of its code, a line each. */
  readonly problem: string | null;
  /** In the order of the form. */
  readonly fields: readonly Pick<FormField, 'name' | 'problem'>[];
  readonly children?: ReactNode;
};

/** Lists the problems of a form, each once and with a link to its field; nothing where there is none. */
export function Problems({ problem, fields, children }: ProblemsProps) {
  const first = fields[0]?.name ?? 'code';
  const all = [
    ...(problem?.split('\n') ?? []).map((text) => ({ id: first, text })),
    ...fields.flatMap(({ name, problem: text }) => (text ? [{ id: name, text }] : [])),
  ];
  const rows = [...new Map(all.map((row) => [row.text, row])).values()];
  const [only] = rows;
  if (!only) return null;
  return (
    <div role="alert">
      {rows.length > 1 ? (
        <ErrorSummary rows={rows} />
      ) : (
        <Alert tone="danger">
          <p>
            {only.text === problem ? problem : <a href={`#${only.id}`}>{only.text}</a>} {children}
          </p>
        </Alert>
      )}
      {rows.length > 1 && children}
    </div>
  );
}
