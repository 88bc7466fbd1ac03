import { expect, test } from 'vitest';
import { releaseFaults } from './release.ts';

const READY = {
  version: '1.2.0',
  changelog: '# Changelog\n\n## [1.2.0] - 2026-12-01\n\n## [1.1.0] - 2026-11-01\n',
};

test('a version with a dated entry may go out', () => {
  expect(releaseFaults(READY)).toEqual([]);
});

test.each([
  ['no entry', { version: '1.3.0' }, 'no entry for 1.3.0'],
  ['an entry of another version alone', { version: '1.2.0-rc' }, 'no entry for 1.2.0-rc'],
  ['no date', { changelog: '## [1.2.0] - unreleased' }, 'has no date'],
])('%s keeps it back', (_what, change, fault) => {
  expect(releaseFaults({ ...READY, ...change })).toEqual([expect.stringContaining(fault)]);
});
