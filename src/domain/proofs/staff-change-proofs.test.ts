import { expect, test } from 'vitest';
import { effectOfProof } from './staff-change-proofs.ts';

test.each([
  // what, proof, without and with a key or an app code
  ['email', 'password', 'waits', null],
  ['email', 'email', null, null],
  ['email', 'phone', 'now', null],
  ['email', 'key', 'now', 'now'],
  ['email', 'appCode', 'now', 'now'],
  ['phone', 'password', 'waits', null],
  ['phone', 'email', 'now', null],
  ['phone', 'phone', null, null],
  ['phone', 'key', 'now', 'now'],
  ['key', 'password', null, null],
  ['key', 'email', null, null],
  ['key', 'phone', null, null],
  ['key', 'appCode', 'now', 'now'],
  ['appCode', 'password', null, null],
  ['appCode', 'email', null, null],
  ['appCode', 'phone', null, null],
  ['appCode', 'key', 'now', 'now'],
] as const)('[CON-12] %s by %s: %s, protected %s', (what, proof, plain, isStrong) => {
  expect([effectOfProof(what, proof, false), effectOfProof(what, proof, true)]).toEqual([
    plain,
    isStrong,
  ]);
});
