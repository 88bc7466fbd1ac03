import { expect, test } from 'vitest';
import {
  ASK_LIFE_MS,
  canSignIn,
  checkHelper,
  endOfHelp,
  ENDS_SOON_MS,
  helperState,
} from './helpers.ts';
import { SIGN_IN_CAUSES } from '../help-desk/why-cannot-sign-in.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

test('[HLP-15] the state follows from the times alone', () => {
  const asked = { addedAt: null, endsAt: after(ASK_LIFE_MS), removedAt: null };
  const helping = { addedAt: NOW, endsAt: endOfHelp(NOW), removedAt: null };
  expect(helperState(asked, NOW)).toBe('asked');
  expect(helperState(asked, after(ASK_LIFE_MS))).toBe('ended');
  expect(helperState(helping, NOW)).toBe('helping');
  const soon = new Date(helping.endsAt.getTime() - ENDS_SOON_MS);
  expect(helperState(helping, soon)).toBe('endsSoon');
  expect(helperState(helping, helping.endsAt)).toBe('ended');
  expect(helperState({ ...helping, removedAt: NOW }, NOW)).toBe('ended');
});

test('[HLP-15] a year is twelve months', () => {
  expect(endOfHelp(NOW)).toEqual(new Date('2027-11-24T12:00:00Z'));
  expect(endOfHelp(new Date('2028-02-29T00:00:00Z'))).toEqual(new Date('2029-03-01T00:00:00Z'));
});

test.each([
  ['elena@example.test', '  my   daughter ', {}],
  ['', 'my daughter', { helperEmail: 'emailRequired' }],
  ['elena', '', { helperEmail: 'emailInvalid', relation: 'relationRequired' }],
  ['RUTH@example.test', 'myself', { helperEmail: 'helperIsYou' }],
  ['elena@example.test', 'my\u202Edaughter', { relation: 'relationInvalid' }],
  ['elena@example.test', '12', { relation: 'relationInvalid' }],
  ['elena@example.test', 'a'.repeat(41), { relation: 'relationInvalid' }],
])('[HLP-10] %j, %j', (helperEmail, relation, problems) => {
  const checked = checkHelper({ helperEmail, relation }, 'ruth@example.test');
  const relationKept = checked.isValid ? checked.values.relation : '';
  expect(checked.isValid ? {} : checked.problems).toEqual(problems);
  expect(relationKept).toBe(checked.isValid ? 'my daughter' : '');
});

test('[HLP-10] a relation may have a joiner, as Persian words do', () => {
  const input = { helperEmail: 'elena@example.test', relation: 'مادر\u200Cبزرگ' };
  expect(checkHelper(input, 'ruth@example.test').isValid).toBe(true);
});

test('[HLP-12] of all causes one says that the person can sign in', () => {
  expect(SIGN_IN_CAUSES.filter(canSignIn)).toEqual(['nothing']);
});
