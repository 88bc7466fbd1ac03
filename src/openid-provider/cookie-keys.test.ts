import { expect, test } from 'vitest';
import { createCookieKeys } from './cookie-keys.ts';

const [NEW, OLD] = ['first secret', 'second secret'];
const DATA = 'session=abc';
/** Made by Keygrip 1.1.0 with each of the two. */
const BY_NEW = 'TtEdc6Q1jkZbj2xp2y0SN-OtxK8';
const BY_OLD = 'aVFWqy47czV-TxRjtCb8TyTnNJU';

test('[R24] the first key signs, each verifies, and what Keygrip signed stays signed', () => {
  const keys = createCookieKeys([NEW, OLD]);
  expect(keys.sign(DATA)).toBe(BY_NEW);
  expect([BY_NEW, BY_OLD].map((signature) => keys.index(DATA, signature))).toEqual([0, 1]);
  expect(createCookieKeys([OLD]).index(DATA, BY_OLD)).toBe(0);
});

test('[R24] nothing else verifies', () => {
  const keys = createCookieKeys([NEW]);
  const others = [BY_OLD, '', `${BY_NEW}=`, BY_NEW.slice(1), BY_NEW.toLowerCase(), 'é'.repeat(27)];
  for (const signature of others) {
    expect([signature, keys.index(DATA, signature), keys.verify(DATA, signature)]).toEqual([
      signature,
      -1,
      false,
    ]);
  }
  expect(keys.verify(`${DATA}d`, BY_NEW)).toBe(false);
});

test('without a key nothing is signed', () => {
  expect(() => createCookieKeys([])).toThrow('Cookies need a key.');
});
