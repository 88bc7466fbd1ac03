/** The emailed activation link: `UID` holds activation key, registration id and user id; `SUP` the platform (ACT-01). */

export type ActivationLink = {
  readonly key: string;
  readonly registrationId: string;
  readonly userId: number;
  readonly platform: number;
};

const MAX_LENGTH = 512;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** The format of a part on the wire: the server refuses anything else as malformed, which differs from invalid. */
const PART = /^[!-~]{1,200}$/;

/**
 * Decodes standard and URL-safe base64; a mail client may have removed the padding. Returns `null` for anything else.
 */
function decode(text: string | null): string | null {
  if (!text || text.length > MAX_LENGTH || !BASE64.test(text)) return null;
  try {
    return atob(text.replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, ''));
  } catch {
    return null;
  }
}

/**
 * Parses a link's query; returns `null` unless it has three parts and a platform: the link is then invalid (ACT-01).
 */
export function parseActivationLink(uid: string | null, sup: string | null): ActivationLink | null {
  const parts = decode(uid)?.split('|') ?? [];
  const platform = decode(sup) ?? '';
  const [key = '', registrationId = '', user = ''] = parts;
  if (parts.length !== 3 || !PART.test(key) || !PART.test(registrationId)) return null;
  if (!/^\d{1,16}$/.test(user) || !/^\d{1,4}$/.test(platform)) return null;
  const userId = Number(user);
  if (userId === 0 || !Number.isSafeInteger(userId)) return null;
  return { key, registrationId, userId, platform: Number(platform) };
}

/** Returns the query of a link, ready for a URL. */
export function activationQuery(link: ActivationLink): string {
  const query = new URLSearchParams({
    UID: btoa(`${link.key}|${link.registrationId}|${link.userId}`),
    SUP: btoa(String(link.platform)),
  });
  return query.toString();
}
