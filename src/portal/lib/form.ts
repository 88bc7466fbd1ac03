import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { ui } from '#texts/ui.ts';
import { fill } from '#locales/fill.ts';
import { announce } from '../ui/live-region.tsx';
import { dismissToast } from '../ui/toast.ts';
import type { SummaryRow } from '../ui/error-summary.tsx';
import { type FormRules, useFormRules, useServerState } from './form-actions.ts';
import { ScriptMissing } from './lazily.ts';
import { sendNatively } from './native-form.ts';
import { hasProblems, readForm, recheck, type FormValues, type Problems } from './form-values.ts';

/** Milliseconds after which the page says that it still works. */
const SLOW_MS = 8000;

type FormOptions<F extends string> = {
  id: string;
  /** The page's address, if the address bar has only a part of it. */
  address?: string;
} & FormRules<F>;

/** The props that a screen renders its form with. */
export type Form<F extends string> = {
  props: {
    id: string;
    ref: (form: HTMLFormElement | null) => void;
    method: 'post';
    noValidate: true;
    'aria-busy': true | undefined;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
  problems: Problems<F>;
  /** For `ErrorSummary`: empty unless two or more fields are wrong. */
  summary: readonly SummaryRow[];
  isPending: boolean;
  isSlow: boolean;
  /** Sends the form to the server as a no-JavaScript page does, when there is no other answer. */
  sendNatively: () => void;
  /** Shows problems from elsewhere than `onSubmit`, and focuses the first. */
  showProblems: (problems: Problems<F>) => void;
};

/** Handles a form over native, uncontrolled inputs: input from before hydration stays. */
export function useForm<F extends string>({
  id,
  validate,
  onRefused,
  onSubmit,
  address,
}: FormOptions<F>): Form<F> {
  const element = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useServerState<Problems<F>>(id, {});
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  if (import.meta.env.SSR) useFormRules(id, { validate, onRefused, onSubmit });
  const [refusals, setRefusals] = useState(0);
  const [isPending, setPending] = useState(false);
  const [isSlow, setSlow] = useState(false);
  const isBusy = useRef(false);
  const validated = useRef<Problems<F>>({});

  useReadOnly(element, isPending);
  useErrorTitle(hasProblems(problems));
  useEffect(() => {
    // After the render, so that the field's error is there to be read out with its label.
    if (refusals > 0) firstInvalid(element.current)?.focus();
  }, [refusals]);

  const showProblems = (next: Problems<F>) => {
    setProblems(next);
    if (!hasProblems(next)) return;
    setRefusals((count) => count + 1);
    // The focus goes to the first; the number of errors is announced as well.
    const count = Object.values(next).filter(Boolean).length;
    if (count > 1) announce(fill(ui.problemsTitle, { count }));
  };

  const send = async (values: FormValues<F>) => {
    isBusy.current = true;
    setPending(true);
    const slow = setTimeout(() => {
      setSlow(true);
      announce(ui.stillWorking);
    }, SLOW_MS);
    try {
      showProblems((await onSubmit(values)) ?? {});
    } catch (error) {
      if (!(error instanceof ScriptMissing)) throw error;
      sendNatively(element.current, id, address);
    } finally {
      clearTimeout(slow);
      isBusy.current = false;
      setPending(false);
      setSlow(false);
    }
  };

  return {
    props: {
      id,
      ref: (form) => {
        element.current = form;
      },
      method: 'post',
      noValidate: true,
      'aria-busy': isPending || undefined,
      onSubmit: (event) => {
        event.preventDefault();
        if (isBusy.current) return;
        dismissToast();
        const values = readForm<F>(new FormData(event.currentTarget));
        const found = validate?.(values) ?? {};
        validated.current = found;
        showProblems(found);
        if (hasProblems(found)) onRefused?.(found);
        else void send(values);
      },
      onInput: (event) => {
        if (!hasProblems(problems)) return;
        const changed = (event.target as HTMLInputElement).name;
        const fresh = validate?.(readForm<F>(new FormData(event.currentTarget))) ?? {};
        const left = recheck(problems, changed, fresh, validated.current);
        setProblems(left);
        // The message's cause is corrected.
        if (!hasProblems(left)) dismissToast();
        validated.current = { ...validated.current, ...fresh };
      },
    },
    problems,
    summary: problemSummary(element.current, problems),
    isPending,
    isSlow,
    sendNatively: () => sendNatively(element.current, id, address),
    showProblems,
  };
}

function firstInvalid(form: HTMLFormElement | null): HTMLElement | undefined {
  return controls(form).find((control) => control.getAttribute('aria-invalid') === 'true');
}

function controls(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.elements ?? [])].filter((control) => control instanceof HTMLInputElement);
}

/** Returns the summary in the order of the page. */
function problemSummary<F extends string>(
  form: HTMLFormElement | null,
  problems: Problems<F>,
): SummaryRow[] {
  const rows = new Map<string, SummaryRow>();
  if (import.meta.env.SSR) {
    // There is no form element yet: the order is that of the checks, and fields have their own names.
    for (const [id, text] of Object.entries<ReactNode>(problems))
      if (text) rows.set(id, { id, text });
  }
  for (const { name, id } of controls(form)) {
    const text: ReactNode = problems[name as F];
    if (text && !rows.has(name)) rows.set(name, { id, text });
  }
  return rows.size > 1 ? [...rows.values()] : [];
}

/** Sends a form again by an event; Safari has requestSubmit only since 16. */
export function resubmit(form: HTMLFormElement | null) {
  form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
}

/** Read-only rather than disabled: focus and text stay. */
function useReadOnly(element: { current: HTMLFormElement | null }, isPending: boolean) {
  useEffect(() => {
    if (!isPending) return;
    const open = controls(element.current).filter((control) => !control.readOnly);
    for (const control of open) control.readOnly = true;
    return () => {
      for (const control of open) control.readOnly = false;
    };
  }, [element, isPending]);
}

/** Marks the window's title of a page with a problem, because it is read out first. */
export function useErrorTitle(hasErrors: boolean) {
  useEffect(() => {
    if (!hasErrors) return;
    document.title = ui.errorTitlePrefix + document.title;
    return () => {
      document.title = document.title.replace(ui.errorTitlePrefix, '');
    };
  }, [hasErrors]);
}
