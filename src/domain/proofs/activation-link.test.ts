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
    ['more than 512 characters', uid(`${'k'.repeat(191)}|${'r'.repeat(192)}|7`), SUP],
    ['a key longer than the wire takes', uid(`${'k'.repeat(201)}|r|7`), SUP],
    ['a registration longer than the wire takes', uid(`k|${'r'.repeat(201)}|7`), SUP],
    ['user 0', uid('k|r|0'), SUP],
    ['a user no number can hold', uid('k|r|9999999999999999'), SUP],
    ['a platform of five digits', uid('k|r|7'), btoa('10000')],
    ['an empty platform', uid('k|r|7'), ''],
    ['a zero byte', uid('k|r\0|7'), SUP],
    ['bytes that are no text', uid('k\xff|r|7'), SUP],
    ['a space in the base64', `${uid('k|r|7').slice(0, 4)} ${uid('k|r|7').slice(4)}`, SUP],
    ['three equals signs', `${uid('k|r|7')}===`, SUP],
  ])('[ACT-01] %s: the link counts as invalid', (_what, first, second) => {
    expect(parseActivationLink(first, second)).toBeNull();
  });

  test.each([200, 1])('[ACT-01] a key and a registration of %i characters are taken', (length) => {
    const [key, registrationId] = ['k'.repeat(length), 'r'.repeat(1 + (length % 150))];
    const link = { ...LINK, key, registrationId };
    const query = new URLSearchParams(activationQuery(link));
    expect(parseActivationLink(query.get('UID'), query.get('SUP'))).toEqual(link);
  });

  it('[D10] never throws, and takes nothing that it would not write again', () => {
    const random = randomOf(20_261_120);
    const pick = (from: string) => from[Math.floor(random() * from.length)] ?? '';
    const text = (from: string, length: number) =>
      Array.from({ length: Math.floor(random() * length) }, () => pick(from)).join('');
    const ENCODED = 'AZaz09+/-_=|% \0\u00ff\u2603';
    const DECODED = 'kR7|0 -_~\0\u00ff';
    let taken = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const isEncoded = round % 2 === 0;
      const first = isEncoded
        ? text(ENCODED, 40)
        : uid(`${text('kR7-_', 4)}|r|${text(DECODED, 3)}`);
      const second = isEncoded ? text(ENCODED, 8) : uid(text('0123x', 6));
      const link = parseActivationLink(first, second);
      if (!link) continue;
      taken += 1;
      const again = new URLSearchParams(activationQuery(link));
      expect(parseActivationLink(again.get('UID'), again.get('SUP'))).toEqual(link);
    }
    expect(taken).toBeGreaterThan(100);
  });
});

/** Random enough to find corners, and the same at every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
