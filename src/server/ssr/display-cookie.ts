import type { IncomingMessage } from 'node:http';
import { DRAWN_PREFERENCES, parsePreferences, preferenceAttributes } from '#domain/display.ts';

/** What was chosen, with script or without: the page has it from its first byte. */
export function displayOf(cookieHeader = '') {
  return parsePreferences(/(?:^|;\s*)display=([\w.]*)/.exec(cookieHeader)?.[1]);
}

export const preferencesOf = ({ headers }: Pick<IncomingMessage, 'headers'>) => ({
  [DRAWN_PREFERENCES]: displayOf(headers.cookie),
});

export const attributesFor = ({ headers }: IncomingMessage) =>
  preferenceAttributes(displayOf(headers.cookie));
