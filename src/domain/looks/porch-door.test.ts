import { expect, test } from 'vitest';
import { doorAtCode, screenDoor } from './porch-door.ts';
import { SCREENS, type ScreenName } from '../flow/screens.ts';

test('[N2] the door is shut at Login, ajar at the code, wide open at success, and only its lamp burns after sign-out', () => {
  expect(screenDoor('signIn')).toBe('shut');
  expect(screenDoor('verifyOtp')).toBe('ajar');
  expect(screenDoor('congratulation')).toBe('wide');
  expect(screenDoor('signOut')).toBe('lamp');
});

test('[N2] each digit opens it by one more; without any, and after a wrong code, it stands ajar', () => {
  expect([1, 2, 3, 4, 5, 6].map((digits) => doorAtCode(digits))).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
  expect([doorAtCode(0), doorAtCode(9)]).toEqual([screenDoor('verifyOtp'), '6']);
  // A code that no longer works shuts it, whatever is typed.
  expect([doorAtCode(0, true), doorAtCode(4, true)]).toEqual(['shut', 'shut']);
});

test('[N2] after a right code it stands open on the way to the app', () => {
  expect(screenDoor('redirect')).toBe('ajar');
  expect(screenDoor('redirect', true)).toBe('wide');
});

test('[N2] every screen has a still, so that the page shows its door without any script', () => {
  const stills = (Object.keys(SCREENS) as ScreenName[]).map((screen) => screenDoor(screen));
  expect(new Set(stills)).toEqual(new Set(['shut', 'ajar', 'half', 'wide', 'lamp']));
});
