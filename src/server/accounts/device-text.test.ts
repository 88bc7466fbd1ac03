import { expect, test } from 'vitest';
import { textsIn } from '#locales/catalogue.ts';
import { browserText, deviceText, storedBrowser } from './device-text.ts';

test.each([
  [storedBrowser({ browser: 'Safari', system: 'iPad' }), 'Safari en un iPad'],
  [
    storedBrowser({ browser: 'Samsung Internet', system: 'android' }),
    'Samsung Internet en Android',
  ],
  ['Safari on an iPad 2', 'Safari en un iPad 2'],
  ['Security key', 'Llave de seguridad'],
  ['Security key 3', 'Llave de seguridad 3'],
  ['iPhone, iPad or Mac', 'iPhone, iPad o Mac'],
  ['A device or app', 'Un dispositivo o una app'],
  ['Front desk on the left', 'Front desk on the left'],
  ['', ''],
])('[LNG-10] "%s" speaks the language of its reader', (stored, spanish) => {
  expect(deviceText(textsIn('es'), stored)).toBe(spanish);
  expect(deviceText(textsIn('en'), stored)).toBe(stored);
});

test('[LNG-10] a browser of a mail speaks the language of its reader', () => {
  expect(browserText(textsIn('es'), { browser: 'Chrome', system: 'mac' })).toBe(
    'Chrome en una Mac',
  );
});
