import type { ReactNode } from 'react';

/** What is wrong, by field: words, or words with a link. */
export type Problems<F extends string> = { readonly [field in F]?: ReactNode };

/** What a form holds. */
export type FormValues<F extends string> = {
  /** The text of a field, empty when it is absent. Inputs that share a name, like the boxes of a code, read as one text. */
  text: (name: F) => string;
  /** Every value of a name, for boxes that were ticked. */
  all: (name: F) => readonly string[];
};

export function readForm<F extends string>(data: FormData): FormValues<F> {
  const all = (name: F) => data.getAll(name).filter((value) => typeof value === 'string');
  return { all, text: (name) => all(name).join('') };
}

export function hasProblems(problems: Problems<string>): boolean {
  return Object.values(problems).some(Boolean);
}

/**
 * The marks that stay after a change. The changed field gets its newest problem or none; another field is cleared only
 * if its mark came from validation and is now fixed (a password that matches at last), never if a server set it.
 * No other field is marked: the visitor is still typing.
 */
export function recheck<F extends string>(
  shown: Problems<F>,
  changed: string,
  fresh: Problems<F>,
  validated: Problems<F>,
): Problems<F> {
  const next: Partial<Record<F, ReactNode>> = {};
  for (const field of Object.keys(shown) as F[]) {
    const isFixed = !fresh[field] && (field === changed || validated[field] === shown[field]);
    if (!isFixed) next[field] = field === changed ? fresh[field] : shown[field];
  }
  return next;
}
