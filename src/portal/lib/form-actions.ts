import { createContext, useContext, useState } from 'react';
import type { FormValues, Problems } from './form-values.ts';

/** A form's handling of its input, used by `useForm` and by the server's answer to a no-JavaScript form. */
export type FormRules<F extends string> = {
  /** Returns the problems by field; runs on submit, and again while marked fields are corrected. */
  validate?: ((values: FormValues<F>) => Problems<F>) | undefined;
  /** Called when `validate` refuses, after the problems are set, for example to show a toast. */
  onRefused?: ((problems: Problems<F>) => void) | undefined;
  /** Sends the form. Problems that it returns are shown like those of `validate`. */
  onSubmit: (values: FormValues<F>) => Promise<Problems<F> | void> | Problems<F> | void;
};

/**
 * Only on the server: a rendered screen registers the actions of its forms and buttons, so that the same code answers
 * no-JavaScript forms (decision 124).
 */
export type FormActions = {
  /** The sent form; `null` while a page is rendered without one. */
  readonly sent: FormData | null;
  /** The screen's state from one rendering to the next. */
  readonly kept: Map<string, unknown>;
  readonly forms: Map<string, FormRules<string>>;
  readonly buttons: Map<string, () => unknown>;
  /** The queries of the screen at its start. */
  readonly questions: Map<string, () => Promise<unknown>>;
};

/** Name of the kept message that replaces a toast without JavaScript. */
export const NOTICE = 'notice';

/** The server's data before a screen is rendered, by the names under which screens keep it. */
export type Known = Readonly<Record<string, unknown>>;

/** Creates the registry of a rendering. */
export function createFormActions(known: Known, sent: FormData | null = null): FormActions {
  return {
    sent,
    kept: new Map(Object.entries(known)),
    forms: new Map(),
    buttons: new Map(),
    questions: new Map(),
  };
}

export const FormActionsContext = createContext<FormActions | null>(null);

// Code behind `import.meta.env.SSR` is in no browser's bundle.
/* oxlint-disable react-hooks/rules-of-hooks -- the condition is a constant of each build */

/** Returns the registry on the server; `null` in a browser. */
export const useFormActions = (): FormActions | null =>
  import.meta.env.SSR ? useContext(FormActionsContext) : null;

/** Returns state that the server's next rendering of the same screen keeps. */
export function useServerState<T>(name: string, initial: T): [T, (value: T) => void] {
  if (!import.meta.env.SSR) return useState<T>(initial);
  const kept = useContext(FormActionsContext)?.kept;
  const [value, setValue] = useState<T>(kept?.has(name) ? (kept.get(name) as T) : initial);
  return [value, kept ? (next) => void kept.set(name, next) : setValue];
}

/** Registers the action of a form. */
export function useFormRules<F extends string>(id: string, rules: FormRules<F>): void {
  useContext(FormActionsContext)?.forms.set(id, rules as FormRules<string>);
}

/** Registers the action of a named button. */
export function useAction(action: string | undefined, press: (() => unknown) | undefined): void {
  const buttons = useContext(FormActionsContext)?.buttons;
  if (action && press) buttons?.set(action, press);
}

/**
 * Registers a query that a page makes at its start. Without JavaScript it runs when a button is pressed, and the page
 * is rendered with its result.
 */
export function useDeferredQuery(name: string, ask: () => Promise<unknown>): void {
  if (import.meta.env.SSR) useContext(FormActionsContext)?.questions.set(name, ask);
}

/** Returns the sent value of a field; undefined in a browser, where the field still has it. */
export function useSentValue(name: string): string | undefined {
  if (!import.meta.env.SSR) return undefined;
  const text = useContext(FormActionsContext)?.sent?.get(name);
  return typeof text === 'string' ? text : undefined;
}
