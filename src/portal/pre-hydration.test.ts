import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { installPreHydration } from './pre-hydration.ts';
import { PREFERENCE_KEYS } from './ui/preferences.ts';

class FakeForm {
  readonly attributes = new Map<string, string>();
  sent = 0;
  constructor(readonly id: string) {}
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value);
  }
  submit() {
    this.sent += 1;
  }
}

/** A page in which only the source of the script runs, as it does inline. */
function page(
  stored: Record<string, string> | null,
  state: unknown = null,
  forms: readonly FakeForm[] = [],
) {
  const dataset: Record<string, string> = {};
  const listeners: ((event: object) => void)[] = [];
  const faults = new Map<string, (event: object) => void>();
  const timers: (() => void)[] = [];
  const window: { porchlightHydrated?: boolean; porchlightHeldForm?: string } = {};
  runInNewContext(`(${installPreHydration.toString()})()`, {
    window,
    HTMLFormElement: FakeForm,
    addEventListener: (name: string, listener: (event: object) => void) =>
      faults.set(name, listener),
    setTimeout: (later: () => void) => timers.push(later),
    history: { state },
    get localStorage() {
      if (!stored) throw new Error('denied');
      return { getItem: (key: string) => stored[key] ?? null };
    },
    document: {
      documentElement: { dataset },
      forms: { namedItem: (id: string) => forms.find((form) => form.id === id) ?? null },
      addEventListener: (_: string, listener: (event: object) => void) => listeners.push(listener),
    },
  });
  const submit = (form: FakeForm) => {
    let isPrevented = false;
    const event = { target: form, preventDefault: () => (isPrevented = true) };
    for (const listener of listeners) listener(event);
    return isPrevented;
  };
  const fail = (name: string, tagName: string) => faults.get(name)?.({ target: { tagName } });
  return { dataset, window, submit, fail, wait: () => timers.forEach((later) => later()) };
}

describe('installEarly', () => {
  it('puts stored choices on <html> before the first paint', () => {
    const { theme, textSize, untimed } = PREFERENCE_KEYS;
    const { dataset } = page({ [theme]: 'dark', [textSize]: 'largest', [untimed]: 'on' });
    expect(dataset).toEqual({ theme: 'dark', textSize: 'largest', untimed: 'on' });
  });

  it('drops values that are no choice and bears a browser without storage', () => {
    expect(page({ [PREFERENCE_KEYS.theme]: '"><script>' }).dataset).toEqual({});
    expect(page(null).dataset).toEqual({});
  });

  it('[SCR-02] marks what was achieved, as the entry in the history has it', () => {
    expect(page({}, { done: 'created' }).dataset).toEqual({ done: 'created' });
    expect(page({}, { done: 'activated' }).dataset).toEqual({});
    expect(page({}, { otpVerified: true }).dataset).toEqual({});
    expect(page({}, 'another script’s').dataset).toEqual({});
  });

  it('holds a form that is sent before the page is hydrated, and no other', () => {
    const { window, submit } = page({});
    const form = new FakeForm('sign-in');
    expect(submit(form)).toBe(true);
    expect(window.porchlightHeldForm).toBe('sign-in');
    expect(form.attributes.get('aria-busy')).toBe('true');
    window.porchlightHydrated = true;
    expect(submit(form)).toBe(false);
    expect(submit(new FakeForm('action'))).toBe(false);
  });

  it('[NOS-07] lets a held form go when a script fails or time goes by, once, and none after hydration', () => {
    const form = new FakeForm('sign-in');
    const failing = page({}, null, [form]);
    failing.submit(form);
    failing.fail('error', 'IMG');
    expect(form.sent).toBe(0);
    failing.fail('error', 'SCRIPT');
    failing.wait();
    expect(form.sent).toBe(1);
    expect(failing.submit(form)).toBe(false);

    const slow = new FakeForm('sign-in');
    const waiting = page({}, null, [slow]);
    waiting.submit(slow);
    waiting.wait();
    expect(slow.sent).toBe(1);

    const taken = new FakeForm('sign-in');
    const awake = page({}, null, [taken]);
    awake.submit(taken);
    awake.window.porchlightHydrated = true;
    awake.wait();
    awake.fail('unhandledrejection', '');
    expect(taken.sent).toBe(0);
  });
});
