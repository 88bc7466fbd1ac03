import { useSyncExternalStore } from 'react';
import {
  DISPLAY_COOKIE,
  DISPLAY_COOKIE_SECONDS,
  DRAWN_PREFERENCES,
  type Preferences,
  writePreferences,
} from '#domain/looks/display.ts';
import { useFormActions } from '../lib/form-actions.ts';

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

/** Changes one choice, on the page at once and on the next ones by a cookie, with which the server renders them. */
export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  current = { ...read(), [key]: value };
  const isDefault = value === DEFAULTS[key];
  const { dataset } = document.documentElement;
  if (isDefault) delete dataset[key];
  else dataset[key] = value;
  const safe = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `${DISPLAY_COOKIE}=${writePreferences(current)};path=/;samesite=lax;max-age=${DISPLAY_COOKIE_SECONDS}${safe}`;
  for (const listener of listeners) listener();
}

/** Returns whether untimed mode ("Take your time") is on: no timer may end, hide or move anything. */
export function isUntimed(): boolean {
  return document.documentElement.dataset.untimed !== undefined;
}

/** Returns whether untimed mode or the device's reduced motion is on. */
export function wantsStillness(): boolean {
  return isUntimed() || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the visitor's choices. The server renders with them, and they are on `<html>` from the first byte. */
export function usePreferences(): Preferences {
  const drawn = useFormActions()?.kept.get(DRAWN_PREFERENCES) as Preferences | undefined;
  const atFirst = () => (import.meta.env.SSR ? (drawn ?? DEFAULTS) : read());
  return useSyncExternalStore(subscribe, read, atFirst);
}
