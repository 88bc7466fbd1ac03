import { describe, expect, test } from 'vitest';
import { freeName, isCounterAhead, type OfferFacts, whyNoOffer } from './passkeys.ts';
import { DAY_MS } from '../text/duration.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

const DUE: OfferFacts = {
  isOn: true,
  isByKey: false,
  isByOrganisation: false,
  hasKey: false,
  isAfterReset: false,
  isSharedDevice: false,
  isFirstAtStaffEntrance: false,
  offers: 0,
  offeredAt: null,
};

describe('[KEY-11] the offer of a key', () => {
  test.each<[string, Partial<OfferFacts>, string | null]>([
    ['the first time', {}, null],
    ['where keys are off', { isOn: false }, 'off'],
    ['after a sign-in by key', { isByKey: true, hasKey: true }, 'byKey'],
    ['[FED-01] after an organisation’s sign-in', { isByOrganisation: true }, 'byOrganisation'],
    ['on a shared device', { isSharedDevice: true }, 'sharedDevice'],
    ['after a reset', { isAfterReset: true }, 'afterReset'],
    [
      'at the first sign-in of the staff entrance',
      { isFirstAtStaffEntrance: true },
      'staffEntrance',
    ],
    ['to an account with a key', { hasKey: true }, 'hasKey'],
    ['29 days after the last', { offers: 1, offeredAt: ago(29.99) }, 'lately'],
    ['30 days after the last', { offers: 2, offeredAt: ago(30) }, null],
    ['after three', { offers: 3, offeredAt: ago(400) }, 'often'],
  ])('%s', (_, facts, why) => {
    expect(whyNoOffer({ ...DUE, ...facts }, NOW)).toBe(why);
  });
});

test.each([
  [0, 0, true],
  [0, 1, true],
  [4, 5, true],
  [5, 5, false],
  [5, 4, false],
  [5, 0, false],
])('[KEY-05] a counter of %i, then %i: %s', (stored, shown, isRight) => {
  expect(isCounterAhead(stored, shown)).toBe(isRight);
});

test('[KEY-01] a name is free: a number follows one that is taken', () => {
  expect(freeName('iPad', [])).toBe('iPad');
  expect(freeName('iPad', ['iPad', 'iPad 2'])).toBe('iPad 3');
});
