import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeItems, setItem, getItem } from './storage.ts';

function fakeStorage(): Storage {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
    clear: () => held.clear(),
    key: () => null,
    get length() {
      return held.size;
    },
  };
}

describe('browser storage', () => {
  // Other files share this process.
  afterEach(() => void vi.unstubAllEnvs());
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', fakeStorage());
    vi.stubGlobal('localStorage', fakeStorage());
    vi.stubEnv('SSR', false);
  });

  it('[GEN-12] keeps each key in its storage, strings as they are', () => {
    setItem('AuthToken', 'abcdefgh-1234');
    setItem('userName', 'margaret@example.org');
    setItem('remainingTime', 119);
    expect(sessionStorage.getItem('AuthToken')).toBe('abcdefgh-1234');
    expect(localStorage.getItem('userName')).toBe('margaret@example.org');
    expect(sessionStorage.getItem('remainingTime')).toBe('119');
    expect(getItem('remainingTime')).toBe(119);
  });

  it.each([
    ['AuthToken', 'two words'],
    ['AuthToken', 'short'],
    ['remainingTime', '-1'],
    ['remainingTime', 'NaN'],
    ['hasBeenCalledBefore', '"yes"'],
    ['subtenantDetails', '{"subtenantId":"x","subtenantLogoUrl":"/l.svg","subtenantName":"N"}'],
    ['subtenantDetails', 'not json'],
    ['sealedCredential', '{"special":"Porchlight-1"}'],
    ['sealedCredential', '["a.b.c.d.e"]'],
  ] as const)('drops a spoilt %s: %s', (key, text) => {
    sessionStorage.setItem(key, text);
    expect(getItem(key)).toBeNull();
    expect(sessionStorage.getItem(key)).toBeNull();
  });

  it('[GEN-11] gives back the subtenant details, without what it does not know', () => {
    const details = {
      subtenantId: 3,
      subtenantLogoUrl: '/l.svg',
      subtenantName: 'A',
      accent: null,
    };
    sessionStorage.setItem('subtenantDetails', JSON.stringify({ ...details, extra: 1 }));
    expect(getItem('subtenantDetails')).toEqual(details);
  });

  it('[GEN-12] forgets the timer markers together', () => {
    setItem('remainingTime', 10);
    setItem('hasBeenCalledBefore', true);
    removeItems('remainingTime', 'hasBeenCalledBefore');
    expect([getItem('remainingTime'), getItem('hasBeenCalledBefore')]).toEqual([null, null]);
  });

  it('[GEN-12] the server, which serves all visitors, keeps nothing', () => {
    removeItems('AuthToken');
    vi.stubGlobal('sessionStorage', undefined);
    vi.stubEnv('SSR', true);
    setItem('AuthToken', 'abcdefgh-1234');
    expect(getItem('AuthToken')).toBeNull();
  });

  it('[GEN-12] F28: knows what this page has stored when the browser has emptied storage, until it is removed', () => {
    setItem('AuthToken', 'abcdefgh-1234');
    setItem('userName', 'margaret@example.org');
    sessionStorage.clear();
    localStorage.clear();
    expect(getItem('AuthToken')).toBe('abcdefgh-1234');
    // 'Remember me' is the browser's to forget.
    expect(getItem('userName')).toBeNull();
    removeItems('AuthToken');
    expect(getItem('AuthToken')).toBeNull();
  });

  it('serves a page whose browser forbids storage', () => {
    const forbidden = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', {
      getItem: forbidden,
      setItem: forbidden,
      removeItem: forbidden,
    });
    setItem('exist', true);
    removeItems('exist');
    expect(getItem('exist')).toBeNull();
  });
});
