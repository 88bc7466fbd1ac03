import { expect, test } from 'vitest';
import type { AccountChange } from '#texts/account-mails.ts';
import { type Language, OFFERED } from '#locales/languages.ts';
import { gsmText } from './gsm-text.ts';
import { nameInTexts, otpSms, staffChangeSms } from './sms-text.ts';

/** GSM 03.38, 6.2.1: the basic alphabet by its rows, and the extension table. */
const BASIC = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
].join('');
const EXTENSION = '^{}\\[~]|€';

const NAMES = [
  ['Rosewood', 'Rosewood'],
  ['St. Mary’s Home', "St. Mary's Home"],
  ['“Casa” ‘Sol’', '"Casa" \'Sol\''],
  ['Residência São João', 'Residencia Sao Joao'],
  ['Wohnpark Süd – Haus 2', 'Wohnpark Süd - Haus 2'],
  ['Résidence—Été…', 'Résidence-Été...'],
  ['Residencia Ángel', 'Residencia Angel'],
  ['Residencia A\u0301ngel', 'Residencia Angel'],
  ['Łódź Œuvre ñ ç Ç à', 'Lodz Oeuvre ñ c Ç à'],
  ['Große Straße', 'Große Straße'],
  ['Nguyễn Trãi', 'Nguyen Trai'],
  ['Ｆｕｌｌ　ｗｉｄｔｈ', 'Full width'],
  ['Σπίτι Χαράς', 'Porchlight'],
  ['Дом Роза', 'Porchlight'],
  ['玫瑰之家', 'Porchlight'],
  ['دار الورد', 'Porchlight'],
  ['\u{10330}\u{20BB7}', 'Porchlight'],
  ['🏠👩‍👩‍👧🇪🇸', 'Porchlight'],
  ['🏠 Elm Court 🎉', 'Elm Court'],
  ['Дом Rose House', 'Rose House'],
  ['Harbor & Point Care', 'Harbor & Point Care'],
] as const;
const LONG = [
  'x'.repeat(79),
  '~'.repeat(79),
  '[€] '.repeat(20).trim(),
  'The Harbor and Point Care Centers of New England and of all the Old Provinces '.trim(),
  `Á${'ñ'.repeat(78)}`,
  `${'é '.repeat(40)}`.trim(),
];
const HOST = 'portal.rosewood-living.example';
const LINK = `https://${HOST}/account/change?key=${'k'.repeat(43)}&lang=es`;
const STEPS: readonly (readonly [AccountChange, string | null])[] = [
  ['staffChangeAsked', LINK],
  ['staffChangeWaits', LINK],
  ['staffChangeAsked', null],
  ['staffChangeDone', null],
  ['staffChangeStopped', null],
];

/** Each text message that is sent, by what it is about. */
function textsOf(name: string, language: Language): readonly (readonly [string, string])[] {
  const help = { phone: '+1 800 555 0199', email: 'help@example.test' };
  const sender = { id: 900, name, logo: null, accent: null, language, help };
  return [
    ...[60_000, 120_000, 7_200_000].map(
      (lifeMs) =>
        [`code ${lifeMs}`, otpSms({ code: '042917', lifeMs, host: HOST, sender })] as const,
    ),
    ...STEPS.map(
      ([kind, link]) => [`${kind} ${link !== null}`, staffChangeSms(sender, kind, link)] as const,
    ),
  ];
}

test.each(
  [...NAMES.map(([name]) => name), ...LONG].flatMap((name) =>
    OFFERED.map((language) => [name, language] as const),
  ),
)('[OTP-15] F47: each text of "%s" is one part of GSM 03.38: %s', (name, language) => {
  for (const [what, text] of textsOf(name, language)) {
    const others = [...text].filter((letter) => !`${BASIC}${EXTENSION}`.includes(letter));
    expect([what, others]).toEqual([what, []]);
    const septets = [...text].reduce(
      (sum, letter) => sum + (EXTENSION.includes(letter) ? 2 : 1),
      0,
    );
    expect([what, text, septets <= 160]).toEqual([what, text, true]);
    expect(text).not.toMatch(/\{\w+\}|  /);
    // The code, the link and the phone are whole.
    expect(text).toMatch(
      /^042917 .*\n\n@portal\.rosewood-living\.example #042917$|key=k{43}&lang=es$|\+1 800 555 0199$/s,
    );
  }
});

test.each(NAMES)('[OTP-15] F47: "%s" is written "%s"', (name, written) => {
  for (const language of OFFERED) {
    const [[, text] = []] = textsOf(name, language);
    expect(text).toContain(written);
  }
  expect(nameInTexts(name, HOST)).toBe(written === name ? null : written);
});

test('[OTP-15] F47: a long name ends behind a word, and without one behind a letter', () => {
  const [, , , words = '', letters = ''] = LONG;
  const shown = nameInTexts(words, HOST) ?? '';
  expect(words.startsWith(`${shown} `)).toBe(true);
  expect(nameInTexts(letters, HOST)).toMatch(/^Añ{10,}$/);
});

test('[OTP-15] F47: each letter of the alphabet stays what it is', () => {
  expect(gsmText(BASIC + EXTENSION)).toBe(BASIC + EXTENSION);
});
