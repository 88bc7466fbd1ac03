import type { IncomingMessage } from 'node:http';
import {
  DISPLAY_COOKIE,
  DISPLAY_COOKIE_SECONDS,
  DRAWN_PREFERENCES,
  parsePreferences,
  preferenceAttributes,
  type Preferences,
  writePreferences,
} from '#domain/looks/display.ts';

/** What was chosen, with script or without: the page has it from its first byte. */
export function displayOf(cookieHeader = '') {
  return parsePreferences(/(?:^|;\s*)display=([\w.]*)/.exec(cookieHeader)?.[1]);
}

export const preferencesOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => ({
  [DRAWN_PREFERENCES]: displayOf(headers.cookie),
});

export const attributesFor = ({ headers }: IncomingMessage) =>
  preferenceAttributes(displayOf(headers.cookie));

/** Returns the line of the cookie that keeps the choices in a browser. */
export function displayCookie(chosen: Preferences, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${DISPLAY_COOKIE}=${writePreferences(chosen)}; Path=/; SameSite=Lax; Max-Age=${DISPLAY_COOKIE_SECONDS}${secure}`;
}
