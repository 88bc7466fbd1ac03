import type { ReactNode } from 'react';
import { fields } from '#texts/fields.ts';
import type { Checked } from '#domain/typed/validation.ts';

/** The problems by field: text, or text with a link. */
export type Problems<F extends string> = { readonly [field in F]?: ReactNode };

/** The values of a form. */
export type FormValues<F extends string> = {
  /**
   * Returns the text of a field, empty when it is absent. Inputs that share a name, like the boxes of a code, read as
   * one text.
   */
  text: (name: F) => string;
  /** Returns every value of a name, for ticked boxes. */
  all: (name: F) => readonly string[];
};

/** Reads the values of a form. */
export function readForm<F extends string>(data: FormData): FormValues<F> {
  const all = (name: F) => data.getAll(name).filter((value) => typeof value === 'string');
  return { all, text: (name) => all(name).join('') };
}

/** Returns the text for each invalid field (SUP-22). */
export function problemTexts<F extends string>(checked: Checked<F>): Problems<F> {
  if (checked.isValid) return {};
  const texts: Partial<Record<F, ReactNode>> = {};
  for (const name of Object.keys(checked.problems) as F[]) {
    const key = checked.problems[name];
    texts[name] = key && fields[key];
  }
  return texts;
}

/** Returns whether there is any problem. */
export function hasProblems(problems: Problems<string>): boolean {
  return Object.values(problems).some(Boolean);
}

/**
 * Returns the marks that stay after a change. The changed field gets its newest problem or none; another field is
 * cleared only if validation marked it and it is now fixed (a password that matches at last), never if a server set it.
 * No other field is marked, because the visitor is still typing.
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
