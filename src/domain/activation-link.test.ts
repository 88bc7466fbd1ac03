import { describe, expect, it, test } from 'vitest';
import { activationQuery, parseActivationLink } from './activation-link.ts';

const LINK = { key: 'k-e_y1', registrationId: 'reg-7', userId: 7, platform: 5 };
const uid = (text: string) => btoa(text);
const SUP = btoa('5');

describe('parseActivationLink', () => {
  it('[ACT-01] "UID decodes to three pipe-separated parts", SUP to the platform', () => {
    expect(parseActivationLink(uid('k-e_y1|reg-7|7'), SUP)).toEqual(LINK);
  });

  it('[ACT-01] reads what it writes, through a URL', () => {
    const query = new URLSearchParams(activationQuery(LINK));
    expect(parseActivationLink(query.get('UID'), query.get('SUP'))).toEqual(LINK);
  });

  it('[ACT-01] takes URL-safe base64, and padding that a mail client ate', () => {
    const text = uid('~~>??>|reg-7|7');
    expect(text).toMatch(/[+/]/);
    const safe = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    expect(parseActivationLink(safe, SUP.replaceAll('=', ''))?.key).toBe('~~>??>');
  });

  test.each([
    ['no UID', null, SUP],
    ['no SUP', uid('k|r|7'), null],
    ['an empty UID', '', SUP],
    ['two parts', uid('k|7'), SUP],
    ['four parts', uid('k|r|7|x'), SUP],
    ['an empty key', uid('|r|7'), SUP],
    ['an empty registration', uid('k||7'), SUP],
    ['an empty user', uid('k|r|'), SUP],
    ['a user that is no number', uid('k|r|7x'), SUP],
    ['a user below zero', uid('k|r|-7'), SUP],
    ['a platform that is no number', uid('k|r|7'), btoa('x')],
    ['no base64', 'k|r|7', SUP],
    ['base64 cut short', `${uid('k|r|7')}A`, SUP],
    ['64 KiB', uid(`${'k'.repeat(65_536)}|r|7`), SUP],
    ['64 KiB of padding', '='.repeat(65_536), SUP],
  ])('[ACT-01] %s: the link counts as invalid', (_what, first, second) => {
    expect(parseActivationLink(first, second)).toBeNull();
  });
});
