import { parseSubtenantId, type Subtenant } from '#domain/people/subtenants.ts';

/**
 * All keys of browser storage, each with its allowed values (GEN-12). Invalid values are dropped: extensions, old
 * releases and the visitor can write them.
 */
const KEYS = {
  /** The bearer of every call once there is one. */
  AuthToken: { kept: 'session', read: tokenOf },
  subtenantDetails: { kept: 'session', read: json(subtenantOf) },
  /** The last entered address can sign in. */
  exist: { kept: 'session', read: json(trueOf) },
  /** The last entered address of this tab: a reload and the next screen fill it in. */
  typedEmail: { kept: 'session', read: validAddress },
  /** What was typed, while the page opens again in another language; no password. */
  typed: { kept: 'session', read: json(recordOf) },
  /** The handle of the current sign-in: opaque, and no credential in spite of its name. */
  userCred: { kept: 'session', read: tokenOf },
  /** Remaining seconds of the code: present while the countdown runs (OTP-03). */
  remainingTime: { kept: 'session', read: json(secondsOf) },
  hasBeenCalledBefore: { kept: 'session', read: json(trueOf) },
  /** The password's encrypted copies by module: the only form in which it is ever stored (HND-05). */
  sealedCredential: { kept: 'session', read: json(sealedOf) },
  /** A key of this portal was saved or used here: sign-in asks for it at once. */
  savedKey: { kept: 'local', read: json(trueOf) },
  /** The email field of this tab asks for no key: it failed there, or the person chose the password. */
  noKeyInField: { kept: 'session', read: json(trueOf) },
  /** Remember me: the address only (SIN-03). */
  userName: { kept: 'local', read: validAddress },
} as const;

type Keys = typeof KEYS;
export type StorageKey = keyof Keys;
type Value<Key extends StorageKey> = NonNullable<ReturnType<Keys[Key]['read']>>;

/**
 * What this page has stored itself: a browser that empties storage meanwhile would lead the visitor in a circle. On the
 * server it stays empty: there this module serves all visitors.
 */
const own = new Map<StorageKey, string>();

/** Returns the value of a key; `null` when it is empty or malformed, or storage is unavailable. */
export function getItem<Key extends StorageKey>(key: Key): Value<Key> | null {
  const area = areaOf(key);
  try {
    const text = area?.getItem(key) ?? own.get(key) ?? null;
    if (text === null) return null;
    const value = KEYS[key].read(text) as Value<Key> | null;
    if (value === null) area?.removeItem(key);
    return value;
  } catch {
    removeItems(key);
    return null;
  }
}

/** Stores a value; without storage, for as long as this page is open. */
export function setItem<Key extends StorageKey>(key: Key, value: Value<Key>): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!import.meta.env.SSR && KEYS[key].kept === 'session') own.set(key, text);
  try {
    areaOf(key)?.setItem(key, text);
  } catch {
    // The page works without storage.
  }
}

/** Deletes keys. */
export function removeItems(...keys: readonly StorageKey[]): void {
  for (const key of keys) {
    own.delete(key);
    try {
      areaOf(key)?.removeItem(key);
    } catch {
      // There was nothing stored.
    }
  }
}

function areaOf(key: StorageKey): Storage | undefined {
  try {
    return KEYS[key].kept === 'local' ? globalThis.localStorage : globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

function tokenOf(text: string): string | null {
  return /^[\w-]{8,200}$/.test(text) ? text : null;
}

function validAddress(text: string): string | null {
  return text.length <= 254 && text.includes('@') ? text : null;
}

function json<T>(read: (value: unknown) => T | null): (text: string) => T | null {
  return (text) => read(JSON.parse(text));
}

function trueOf(value: unknown): true | null {
  return value === true || null;
}

function secondsOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 && value <= 600 ? value : null;
}

/** Reads the wire's spelling; a logo only from our own origin, as the content policy requires. */
function subtenantOf(value: unknown): SubtenantDetails | null {
  if (!isRecord(value)) return null;
  const { subtenantId, subtenantLogoUrl, subtenantName, accent } = value;
  const id = parseSubtenantId(subtenantId);
  if (id === null || typeof subtenantLogoUrl !== 'string' || typeof subtenantName !== 'string') {
    return null;
  }
  return {
    subtenantId: id,
    subtenantLogoUrl,
    subtenantName,
    accent: typeof accent === 'string' ? accent : null,
  };
}

export type SubtenantDetails = {
  readonly subtenantId: number;
  readonly subtenantLogoUrl: string;
  readonly subtenantName: string;
  readonly accent: string | null;
};

/** Returns the subtenant of its details. */
export function toSubtenant(details: SubtenantDetails): Subtenant {
  const { subtenantId, subtenantName, subtenantLogoUrl, accent } = details;
  return { id: subtenantId, name: subtenantName, logoUrl: subtenantLogoUrl, accent };
}

/** Reads compact JWEs by module. */
function sealedOf(value: unknown): Readonly<Record<string, string>> | null {
  if (!isRecord(value)) return null;
  const isSealed = (text: unknown) =>
    typeof text === 'string' && /^[\w-]+(?:\.[\w-]+){4}$/.test(text);
  return Object.values(value).every(isSealed) ? (value as Record<string, string>) : null;
}

/** Reads texts by field; an input takes any value as text. */
function recordOf(value: unknown): Readonly<Record<string, string>> | null {
  return isRecord(value) ? (value as Record<string, string>) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
