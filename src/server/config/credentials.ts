import * as z from 'zod';
import { configFaults as texts } from '#locales/operator/config-faults.ts';

/** An @ after a colon ends a password, also where a letter of that password ended the host before it. */
const CREDENTIALS = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*:.*|[^/?#]*)@/is;

/** Returns whether the user name and password of an address are percent-encoded, so that its host is what it seems. */
function areEncoded(text: string): boolean {
  const [, credentials = ''] = CREDENTIALS.exec(text) ?? [];
  return !/[@/?#]/.test(credentials) && isDecodable(credentials);
}

export function isDecodable(text: string): boolean {
  try {
    return typeof decodeURIComponent(text) === 'string';
  } catch {
    return false;
  }
}

/** The text of an address that may have a password in it, or be given one by mistake. */
export const addressText = z.string().refine(areEncoded, { error: texts.notEncoded, abort: true });

/** Of an address that `fetch` takes. */
export const hasNoCredentials = (url: string) => !new URL(url).username && !new URL(url).password;
