import { expect, test } from 'vitest';
import { groupOf } from './console-verbs.ts';

test('[CON-06] to agree to a change that waits helps; to stop it needs to be sure (E65)', () => {
  expect(groupOf('agree', 'changeWaits')).toBe('help');
  expect(groupOf('stopChange', 'changeWaits')).toBe('grave');
  expect(groupOf('stopChange', 'wrongPassword')).toBe('grave');
});
