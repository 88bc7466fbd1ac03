import { describe, expect, it } from 'vitest';
import { handoffUrl } from './hand-off.ts';

const CLAIMS = { appState: 'app state', userId: 7, roleId: 4, loggenInId: 'log&in' };

describe('handoffUrl', () => {
  it('[RED-12] carries token, appState, userId, roleId and loggenInId, and nothing else', () => {
    const url = new URL(handoffUrl('https://modules.test/admin', 'head.body.mac', CLAIMS));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      token: btoa('head.body.mac'),
      appState: 'app state',
      userId: '7',
      roleId: '4',
      loggenInId: 'log&in',
    });
    expect(url.origin + url.pathname).toBe('https://modules.test/admin');
  });

  it('[RED-12] the token is standard base64, and its + / = survive the query', () => {
    // "~~>" and "??>" are the bytes that base64 writes with + and /.
    const token = '~~>.??>.xy';
    expect(btoa(token)).toMatch(/\+.*\/.*=$/);
    const href = handoffUrl('https://modules.test/', token, CLAIMS);
    const [, raw = ''] = /[?&]token=([^&]*)/.exec(href) ?? [];
    expect(raw).toMatch(/%2B.*%2F.*%3D/);
    expect(raw).not.toMatch(/[+/=]/);
    expect(atob(new URL(href).searchParams.get('token') ?? '')).toBe(token);
  });

  it('[RED-12] keeps the module’s own query, but never a token that it brought along', () => {
    const href = handoffUrl('https://modules.test/app?lang=en&token=old&roleId=1', 'a.b.c', CLAIMS);
    const { searchParams } = new URL(href);
    expect(searchParams.get('lang')).toBe('en');
    expect(searchParams.getAll('token')).toEqual([btoa('a.b.c')]);
    expect(searchParams.getAll('roleId')).toEqual(['4']);
  });
});
