import { moduleSeen as seen } from '#locales/operator/module-command.ts';
import type { Answer } from './browser.ts';

export const MINUTE = 60;

/** An address within an address within an address. */
const MOST_ENCODINGS = 3;

export const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export const times = (from: number) => ({ iat: from, nbf: from, exp: from + MINUTE });

export const isPage = ({ status }: Answer) => status !== null && status >= 200 && status < 300;

/** Whether an address still has the token of a hand-off, under whatever name and however often it was encoded. */
export function holdsToken(url: URL, handOff: string): boolean {
  const token = new URL(handOff).searchParams.get('token') ?? '';
  let text = url.href;
  for (let depth = 0; depth < MOST_ENCODINGS; depth += 1) {
    if ([token, atob(token)].some((each) => text.includes(each))) return true;
    text = decodeLoosely(text);
  }
  return url.searchParams.has('token');
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An answer that a refusal must not have. */
export function answerTrouble({ status }: Answer): string | null {
  if (status === null) return seen.silent;
  return status === 500 ? seen.crashed : null;
}

/** Attributes that a cookie of the answer lacks. */
export function missingCookieAttributes({ headers }: Answer, rootUrl: string): readonly string[] {
  const needed = ['HttpOnly', 'SameSite', ...(rootUrl.startsWith('https:') ? ['Secure'] : [])];
  const cookies = headers.getSetCookie().map((line) => line.toLowerCase());
  return needed.filter((name) => cookies.some((line) => !line.includes(`; ${name.toLowerCase()}`)));
}
