import { createContext, useContext, useState } from 'react';
import type { FormValues, Problems } from './form-values.ts';

/** What a form does with what was typed; `useForm` and the server's answer to a native form both go by it. */
export type FormRules<F extends string> = {
  /** The problems by field; runs on submit, and again while marked fields are corrected. */
  validate?: ((values: FormValues<F>) => Problems<F>) | undefined;
  /** Called when `validate` refuses, after the problems are set: the place for a toast. */
  onRefused?: ((problems: Problems<F>) => void) | undefined;
  /** Sends the form. Problems that it returns are shown like those of `validate`. */
  onSubmit: (values: FormValues<F>) => Promise<Problems<F> | void> | Problems<F> | void;
};

/**
 * Only on the server: a screen that is drawn there says what its forms and buttons do, so that the same code answers
 * them where no script runs (decision 124).
 */
export type Answering = {
  /** What the browser sent; `null` while a page is drawn that nothing was sent from. */
  readonly sent: FormData | null;
  /** What the screen remembers from one drawing to the next. */
  readonly kept: Map<string, unknown>;
  readonly forms: Map<string, FormRules<string>>;
  readonly buttons: Map<string, () => unknown>;
  /** What the screen asks the server for before there is anything to press. */
  readonly questions: Map<string, () => Promise<unknown>>;
};

/** What the server knows before a screen is drawn, by the names under which screens keep it. */
export type Known = Readonly<Record<string, unknown>>;

export function createAnswering(known: Known, sent: FormData | null = null): Answering {
  return {
    sent,
    kept: new Map(Object.entries(known)),
    forms: new Map(),
    buttons: new Map(),
    questions: new Map(),
  };
}

export const AnsweringContext = createContext<Answering | null>(null);

// What stands behind `import.meta.env.SSR` is in no browser's bundle.
/* oxlint-disable react-hooks/rules-of-hooks -- the condition is a constant of each build */

/** What the server answers; `null` in a browser. */
export const useAnswering = (): Answering | null =>
  import.meta.env.SSR ? useContext(AnsweringContext) : null;

/** State that the server's next drawing of the same screen has as well. */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  if (!import.meta.env.SSR) return useState<T>(initial);
  const kept = useContext(AnsweringContext)?.kept;
  const [value, setValue] = useState<T>(kept?.has(name) ? (kept.get(name) as T) : initial);
  return [value, kept ? (next) => void kept.set(name, next) : setValue];
}

/** Says what a form does. */
export function useFormRules<F extends string>(id: string, rules: FormRules<F>): void {
  useContext(AnsweringContext)?.forms.set(id, rules as FormRules<string>);
}

/** Says what a button does that has a name. */
export function usePress(action: string | undefined, press: (() => unknown) | undefined): void {
  const buttons = useContext(AnsweringContext)?.buttons;
  if (action && press) buttons?.set(action, press);
}

/**
 * Names a question that a page asks the server as soon as it is there. Where no script runs it is asked once a button
 * is pressed, and the page is drawn with what it found.
 */
export function useQuestion(name: string, ask: () => Promise<unknown>): void {
  if (import.meta.env.SSR) useContext(AnsweringContext)?.questions.set(name, ask);
}

/** What was sent in a field; nothing in a browser, where it still stands there. */
export function useSent(name: string): string | undefined {
  if (!import.meta.env.SSR) return undefined;
  const text = useContext(AnsweringContext)?.sent?.get(name);
  return typeof text === 'string' ? text : undefined;
}
