import { expect, test } from 'vitest';
import { verbGroup } from './console-verbs.ts';

test('[CON-06] to agree to a change that waits helps; to stop it needs to be sure (E65)', () => {
  expect(verbGroup('agree', 'changeWaits')).toBe('help');
  expect(verbGroup('stopChange', 'changeWaits')).toBe('grave');
  expect(verbGroup('stopChange', 'wrongPassword')).toBe('grave');
});
