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
import { type Cookies, cookiesIn } from '../core/cookies.ts';

/** What was chosen, with script or without: the page has it from its first byte. */
export function chosenDisplay(cookies: Cookies) {
  return parsePreferences(cookies[DISPLAY_COOKIE]);
}

export const displayPreferences = ({ headers }: Pick<IncomingMessage, 'headers'>) => ({
  [DRAWN_PREFERENCES]: chosenDisplay(cookiesIn(headers.cookie)),
});

export const displayAttributes = ({ headers }: IncomingMessage) =>
  preferenceAttributes(chosenDisplay(cookiesIn(headers.cookie)));

/** Returns the line of the cookie that keeps the choices in a browser. */
export function displayCookie(chosen: Preferences, origin: string): string {
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${DISPLAY_COOKIE}=${writePreferences(chosen)}; Path=/; SameSite=Lax; Max-Age=${DISPLAY_COOKIE_SECONDS}${secure}`;
}
