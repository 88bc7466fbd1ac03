import type { BrowserFacts } from '#domain/proofs/browser-check.ts';
import type { Api } from '../../lib/api.ts';

/** Tests the requirements of signing in, without leaving anything behind. */
export async function collectFacts(api: Api): Promise<BrowserFacts> {
  const local = {
    hasStorage: canStore('localStorage') && canStore('sessionStorage'),
    hasCrypto: Boolean(globalThis.crypto?.subtle),
  };
  // The first answer sets the visit cookie; the second call shows whether it comes back.
  await api.call('getVisit');
  const asked = Date.now();
  const answer = await api.call('checkBrowser');
  if (answer.kind !== 'ok') {
    return { ...local, hasCookies: canSetCookie() ? null : false, clockOffsetMs: null };
  }
  const { hasCookie, time } = answer.data;
  // The server's time was read at some moment between request and answer.
  const middle = (asked + Date.now()) / 2;
  return { ...local, hasCookies: hasCookie && canSetCookie(), clockOffsetMs: middle - time };
}

const PROBE = 'porchlight.probe';

function canStore(area: 'localStorage' | 'sessionStorage'): boolean {
  try {
    const store = globalThis[area];
    store.setItem(PROBE, 'yes');
    const isThere = store.getItem(PROBE) === 'yes';
    store.removeItem(PROBE);
    return isThere;
  } catch {
    return false;
  }
}

function canSetCookie(): boolean {
  try {
    document.cookie = `${PROBE}=yes; path=/; samesite=lax`;
    const isThere = document.cookie.includes(`${PROBE}=yes`);
    document.cookie = `${PROBE}=; path=/; samesite=lax; max-age=0`;
    return isThere;
  } catch {
    return false;
  }
}
