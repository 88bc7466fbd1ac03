import { expect, test } from 'vitest';
import { type VerbFacts, verbGroup, verbRest } from './console-verbs.ts';

test('[CON-06] to agree to a change that waits helps; to stop it needs to be sure (E65)', () => {
  expect(verbGroup('agree', 'changeWaits')).toBe('help');
  expect(verbGroup('stopChange', 'changeWaits')).toBe('grave');
  expect(verbGroup('stopChange', 'wrongPassword')).toBe('grave');
});

const SWITCHED_OFF: VerbFacts = {
  status: 'inactive',
  hasPassword: true,
  isKept: false,
  isOffByOrganisation: false,
  isLocked: false,
  sessions: 0,
  isMailBack: false,
  isResetHeld: false,
  resendable: null,
  rolesToGive: 0,
  rolesToTake: 0,
  isContactHere: true,
  keys: 0,
  hasAppCode: false,
  hasOldAddress: false,
  change: null,
  isChanging: false,
};

test('[FED-07] staff switch on whom staff switched off, and not whom a directory did', () => {
  expect(verbRest('resume', SWITCHED_OFF)).toBeNull();
  const off = { ...SWITCHED_OFF, isOffByOrganisation: true };
  expect(verbRest('resume', off)).toBe('offByOrganisation');
});
