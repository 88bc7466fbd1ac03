/** Rules about texts that anybody may send, tried with texts that nobody thought of. A failure prints its seed. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activationQuery, parseActivationLink } from '../proofs/activation-link.ts';
import { DEFAULT_COUNTRY, FIRST_COUNTRIES, formatInCountry, formatPhone } from '../typed/phone.ts';
import { isPhoneLength, phoneDigits, splitDialCode, withoutOwnDialCode } from '../typed/phone.ts';
import { pathOf, screenAt } from '../flow/screens.ts';
import { parseStrictJson } from './strict-json.ts';
import { parseSubtenantId } from '../people/subtenants.ts';
import { canonicalEmail, isEmail } from '../typed/validation.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  // What these texts are made of, in an order that nobody meant.
  fc
    .array(
      fc.constantFrom(
        '+',
        '00',
        '1',
        '254',
        ' ',
        '(',
        ')',
        '-',
        '@',
        '.',
        'a',
        'ß',
        '＠',
        '|',
        '=',
        '\0',
        '/',
        '\\',
        '"',
        '%',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('')),
);
const country = fc.constantFrom(DEFAULT_COUNTRY, ...FIRST_COUNTRIES);

describe('[D18] [SUP-10] phone numbers', () => {
  it('keep their digits, whatever is typed around them', () => {
    fc.assert(
      fc.property(text, country, (typed, of) => {
        const digits = phoneDigits(typed);
        expect(digits).toMatch(/^\d*$/);
        for (const shown of [formatPhone(typed), formatInCountry(of, typed)]) {
          expect(digits.startsWith(phoneDigits(shown))).toBe(true);
          // What a form shows is what it shows again.
          expect(phoneDigits(formatInCountry(of, shown))).toBe(phoneDigits(shown));
        }
        const split = splitDialCode(typed, FIRST_COUNTRIES);
        const isPart = split === null || FIRST_COUNTRIES.includes(split.country);
        expect(isPart && digits.endsWith(split?.number ?? '')).toBe(true);
        expect(digits.endsWith(phoneDigits(withoutOwnDialCode(of, typed)))).toBe(true);
        expect(typeof isPhoneLength(of.value, digits)).toBe('boolean');
      }),
    );
  });
});

describe('[R7] addresses', () => {
  it('have one canonical form, which is its own, and one @ where they are accepted', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.emailAddress()), (typed) => {
        const canonical = canonicalEmail(typed);
        expect(canonicalEmail(canonical)).toBe(canonical);
        if (!isEmail(typed)) return;
        expect(typed).not.toMatch(/[\s<>,;]/);
        expect(canonical.split('@')).toHaveLength(2);
      }),
    );
  });

  it.each([
    ['a letter that comes apart into a space and what stands on it', '\u1fbdada@example.test'],
    ['a full stop that becomes another one', 'ada@example\ufe12test'],
    ['nothing but such a full stop', '\uff61'],
    ['a number with its full stop at the end', 'ada@example.test\u2488'],
    ['a wide comma at the end', 'ada@example.test\uff0c'],
    ['a wide bracket around it', 'Ada \uff1cada@example.test\uff1e'],
  ])('also of %s', (_, typed) => {
    const canonical = canonicalEmail(typed);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });
});

function faultOf(written: string): unknown {
  try {
    parseStrictJson(written);
    return null;
  } catch (error) {
    return (error as Error).constructor;
  }
}

describe('[R33] JSON', () => {
  it('is read as it was written, when no name stands twice', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
        const written = JSON.stringify(value);
        fc.pre(!written.includes('__proto__') && !/\\u0000/.test(written));
        expect(parseStrictJson(written)).toEqual(JSON.parse(written));
      }),
    );
  });

  it('is refused with a SyntaxError and nothing else', () => {
    fc.assert(
      fc.property(text, (written) => {
        expect(faultOf(written)).toBeOneOf([null, SyntaxError]);
      }),
    );
  });

  it('is refused when a name stands twice, however it is spelled', () => {
    const spelled = (name: string) =>
      [...name].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.boolean(), (name, isSpelled) => {
        const again = isSpelled ? spelled(name) : name;
        expect(() => parseStrictJson(`{"${name}":1,"${again}":2}`)).toThrow(SyntaxError);
      }),
    );
  });
});

describe('[D10] [ACT-01] activation links', () => {
  const part = fc.stringMatching(/^[!-{}~]{1,60}$/);
  it('come back as they were written', () => {
    fc.assert(
      fc.property(
        part,
        part,
        fc.integer({ min: 1, max: 2 ** 47 }),
        (key, registrationId, userId) => {
          const link = { key, registrationId, userId, platform: 1 };
          const query = new URLSearchParams(activationQuery(link));
          expect(parseActivationLink(query.get('UID'), query.get('SUP'))).toEqual(link);
        },
      ),
    );
  });

  it('are whole or nothing', () => {
    const uid = fc.oneof(
      text,
      text.map((inner) => Buffer.from(inner).toString('base64')),
      fc
        .array(text, { maxLength: 5 })
        .map((parts) => Buffer.from(parts.join('|')).toString('base64url')),
    );
    fc.assert(
      fc.property(uid, fc.oneof(text, fc.constant('MQ==')), (UID, SUP) => {
        const link = parseActivationLink(UID, SUP);
        if (link === null) return;
        expect(`${link.key}${link.registrationId}`).toMatch(/^[!-~]+$/);
        expect(Number.isSafeInteger(link.userId) && link.userId > 0).toBe(true);
      }),
    );
  });
});

describe('[D21] [D20] names in an address', () => {
  it('a subtenant is a number that can be one', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.integer().map(String), fc.double().map(String)), (typed) => {
        const id = parseSubtenantId(typed);
        expect(id === null || (Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
      }),
    );
  });

  it('a path is a screen of ours or none, and a screen is a path on this origin', () => {
    fc.assert(
      fc.property(text, (typed) => {
        const screen = screenAt(`/${typed}`);
        const path = screen ? pathOf(screen) : '/';
        expect(new URL(path, 'https://own.example').host).toBe('own.example');
      }),
    );
  });
});
