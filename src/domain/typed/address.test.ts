import { describe, expect, test } from 'vitest';
import { canonicalEmail, check, EMAIL_RULE, isEmail } from './validation.ts';
import { visibleAddress } from './address.ts';

const HIDDEN = [
  0x00_ad,
  0x06_1c,
  0xfe_ff,
  // No format characters by their category, and as invisible.
  0x03_4f,
  0xfe_0f,
  0x31_64,
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

  test.each([
    'margaret@meadows。example',
    'margaret@meadows｡example',
    'margaret@meadows︒example',
    'margaret@meadows．example',
    'margaret＠ｍｅａｄｏｗｓ．ｅｘａｍｐｌｅ',
    ' margaret@ＭＥＡＤＯＷＳ。example\u3000',
  ])('[ACC-13] F6: %s of another keyboard is one that a Latin one writes', (typed) => {
    const checked = check({ email: EMAIL_RULE }, { email: typed });
    expect(checked.isValid && canonicalEmail(checked.values.email)).toBe(ADDRESS);
    expect(canonicalEmail(typed)).toBe(ADDRESS);
  });

  test('of a text that is no address at all nothing is looked at', () => {
    const long = '\u200D'.repeat(70_000);
    expect(visibleAddress(long)).toBe(long);
  });
});

describe('[ACC-13] F2: a domain in letters and by its A-labels', () => {
  test.each([
    ['x@bücher.example', 'x@xn--bcher-kva.example'],
    ['X@BÜCHER.Example', 'x@XN--BCHER-KVA.EXAMPLE'],
    ['x@bu\u0308cher.example', 'x@xn--bcher-kva.example'],
    ['x@straße.example', 'x@xn--strae-oqa.example'],
    ['x@STRAẞE.example', 'x@xn--strae-oqa.example'],
    ['x@βόλος.example', 'x@xn--nxasmm1c.example'],
    ['x@ΒΌΛΟΣ.example', 'x@xn--nxasmq6b.example'],
    // Vowel signs are marks, and letters of a label.
    ['x@उदाहरण.परीक्षा', 'x@xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g'],
    // A joiner behind a virama is one as well, and leaves with nothing else.
    ['x@क्\u200Dष.example', 'x@xn--11b2ezcw70k.example'],
    ['\u200Bx@\u200Ebü\u00ADcher.example\u202C', 'x@xn--bcher-kva.example'],
    ['müller@bücher.example', 'müller@xn--bcher-kva.example'],
  ])('%s and %s are one mailbox', (typed, other) => {
    const canonical = other.toLowerCase();
    for (const each of [typed, other]) {
      const checked = check({ email: EMAIL_RULE }, { email: ` ${each} ` });
      expect(checked.isValid && canonicalEmail(checked.values.email)).toBe(canonical);
      expect(canonicalEmail(each)).toBe(canonical);
    }
  });

  test.each([
    ['x@straße.example', 'x@strasse.example'],
    ['x@βόλος.example', 'x@βόλοσ.example'],
    ['x@bücher.example', 'x@bucher.example'],
    ['bücher@x.example', 'xn--bcher-kva@x.example'],
    ['x@क्\u200Dष.example', 'x@क्ष.example'],
  ])('%s and %s are two', (one, other) => {
    expect(canonicalEmail(one)).not.toBe(canonicalEmail(other));
  });

  test.each([
    'x@mea\u200Cdows.example',
    'x@\u0301a.example',
    `x@${'ü'.repeat(60)}.example`,
    'x@a\u0338b%.example',
    'x@bü/cher.example',
  ])('%s is none', (email) => {
    expect(isEmail(email)).toBe(false);
  });
});

test.each([
  ['rosa @example.org', 'rosa@example.org'],
  ['rosa@ example.org', 'rosa@example.org'],
  ['rosa@example.org.', 'rosa@example.org'],
  ['rosa@example.org,', 'rosa@example.org'],
  ['rosa@example.org;', 'rosa@example.org'],
  ['rosa@example.org: ', 'rosa@example.org'],
  ['mailto:rosa@example.org', 'rosa@example.org'],
  ['MAILTO: rosa@example.org', 'rosa@example.org'],
  ['Rosa Lind <rosa@example.org>', 'rosa@example.org'],
  ['"Lind, Rosa" <rosa@example.org>,', 'rosa@example.org'],
  ['<rosa@example.org>', 'rosa@example.org'],
  ['Rosa <mailto:rosa@example.org>', 'rosa@example.org'],
  ['rosa.lind+news@example.org', 'rosa.lind+news@example.org'],
  ["o'neil@example.org", "o'neil@example.org"],
])('[ACC-13] F73: %s is %s', (typed, read) => {
  expect(visibleAddress(typed)).toBe(read);
  expect(check({ email: EMAIL_RULE }, { email: typed }).isValid).toBe(true);
});

test.each([
  'b@x.test <a@x.test>',
  'Eve <a@x.test>, Bob <b@x.test>',
  'a@x.test, b@x.test',
  'a@x.test>b',
])('[ACC-13] F73: %s is none', (typed) => {
  expect(check({ email: EMAIL_RULE }, { email: typed }).isValid).toBe(false);
});
