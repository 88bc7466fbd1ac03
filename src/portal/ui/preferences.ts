import { useSyncExternalStore } from 'react';
import type { Preferences } from '#domain/display.ts';

/** `installEarly` in `pre-hydration.ts` reads the same keys before the first paint; its test compares the two. */
export const PREFERENCE_KEYS: Readonly<Record<keyof Preferences, string>> = {
  theme: 'porchlight.theme',
  textSize: 'porchlight.textSize',
  untimed: 'porchlight.calm',
};

const DEFAULTS: Preferences = { theme: 'device', textSize: 'standard', untimed: 'off' };
const listeners = new Set<() => void>();
let current: Preferences | null = null;

function read(): Preferences {
  const { theme, textSize, untimed } = document.documentElement.dataset;
  current ??= {
    theme: theme === 'light' || theme === 'dark' ? theme : DEFAULTS.theme,
    textSize: textSize === 'large' || textSize === 'largest' ? textSize : DEFAULTS.textSize,
    untimed: untimed === undefined ? DEFAULTS.untimed : 'on',
  };
  return current;
}

/** Changes one choice, on the page at once and on this device where it may be stored. */
export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  current = { ...read(), [key]: value };
  const isDefault = value === DEFAULTS[key];
  const { dataset } = document.documentElement;
  if (isDefault) delete dataset[key];
  else dataset[key] = value;
  try {
    if (isDefault) localStorage.removeItem(PREFERENCE_KEYS[key]);
    else localStorage.setItem(PREFERENCE_KEYS[key], value);
  } catch {
    // A browser that stores nothing still changes this page.
  }
  for (const listener of listeners) listener();
}

/** Untimed mode ("Take your time"): no timer may end, hide or move anything. */
export function isUntimed(): boolean {
  return document.documentElement.dataset.untimed !== undefined;
}

/** Untimed mode, or the device's setting for reduced motion. */
export function wantsStillness(): boolean {
  return isUntimed() || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The visitor's choices. The server draws the defaults; the pre-hydration script has set the real ones on `<html>`. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, read, () => DEFAULTS);
}
