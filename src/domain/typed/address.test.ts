import { describe, expect, test } from 'vitest';
import { canonicalEmail, check, EMAIL_RULE, isEmail } from '../validation.ts';
import { visibleAddress } from './address.ts';

const HIDDEN = [
  0x00_ad,
  0x06_1c,
  0xfe_ff,
  ...Array.from({ length: 5 }, (_, n) => 0x20_0b + n),
  ...Array.from({ length: 5 }, (_, n) => 0x20_2a + n),
  ...Array.from({ length: 5 }, (_, n) => 0x20_60 + n),
  ...Array.from({ length: 4 }, (_, n) => 0x20_66 + n),
].map((code) => String.fromCodePoint(code));
const JOINERS = ['\u200C', '\u200D'];
const ADDRESS = 'margaret@meadows.example';

describe('[SUP-09] F4: what nobody sees in an address', () => {
  test.each(HIDDEN)('%j goes: before, behind, and within', (hidden) => {
    for (const at of [0, 4, 9, ADDRESS.length]) {
      const typed = ADDRESS.slice(0, at) + hidden + ADDRESS.slice(at);
      const checked = check({ email: EMAIL_RULE }, { email: ` ${typed} ` });
      expect(checked).toEqual({ isValid: true, values: { email: ADDRESS } });
      // The hosted login, the Management API and the command line find accounts by this.
      expect(canonicalEmail(typed)).toBe(ADDRESS);
    }
    const inDomain = `margaret@mea${hidden}dows.example`;
    expect(visibleAddress(inDomain)).toBe(JOINERS.includes(hidden) ? inDomain : ADDRESS);
    expect(visibleAddress(`margaret@${hidden}meadows${hidden}.${hidden}example`)).toBe(ADDRESS);
  });

  test('what an address is stays as strict: nothing hidden is one as it stands', () => {
    for (const hidden of HIDDEN) expect(isEmail(`mar${hidden}garet@meadows.example`)).toBe(false);
  });

  test('of a text that is no address at all nothing is looked at', () => {
    const long = '\u200D'.repeat(70_000);
    expect(visibleAddress(long)).toBe(long);
  });
});
