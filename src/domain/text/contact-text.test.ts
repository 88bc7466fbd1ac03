import { expect, test } from 'vitest';
import { addressPieces, maskedParts, telOf } from './contact-text.ts';
import { splitAddresses } from './split-addresses.ts';

test.each([
  ['margaret.oduya@people.porchlight.test', 'margaret|.oduya@|people|.porchlight|.test'],
  ['m•••@my-care.example', 'm•••@|my-care|.example'],
  ['a@b', 'a@|b'],
  ['two..dots@x.org', 'two|.|.dots@|x|.org'],
  ['', ''],
])('[V14] %s breaks only after @ and before a dot', (email, expected) => {
  expect(addressPieces(email).join('|')).toBe(expected);
  expect(addressPieces(email).join('')).toBe(email);
});

test('[V14] a mask has readable parts, a whole address has none', () => {
  expect(maskedParts('m•••@example.org')).toEqual({ first: 'm', domain: 'example.org' });
  expect(maskedParts('mara@example.org')).toBeNull();
});

test.each([
  ['Codes now go to m•••@example.org', ['Codes now go to ', 'm•••@example.org', '']],
  ['Ask a.b@x.org, or c@y.org.', ['Ask ', 'a.b@x.org', ', or ', 'c@y.org', '.']],
  ['No address @ all', ['No address @ all']],
])('[V14] the addresses of "%s"', (text, parts) => {
  expect(splitAddresses(text)).toEqual(parts);
});

test('the address of a call has no spaces', () => {
  expect(telOf('+1 (555) 010\u00a00199')).toBe('tel:+15550100199');
});
