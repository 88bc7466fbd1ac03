import { expect, test } from 'vitest';
import { isOver, median } from './figures.ts';
import { closureOf, screenEntry, styleSheetOf } from './manifest.ts';
import { failuresOf, playwrightCounts, vitestCounts } from './test-counts.ts';

const figure = { id: 'F4', what: 'JavaScript', unit: 'KiB' };

test.each([
  { value: 71.9, budget: 72, over: false },
  { value: 72, budget: 72, over: false },
  { value: 72.01, budget: 72, over: true },
  { value: 1, budget: 0, over: true },
  { value: Number.NaN, budget: 72, over: true },
])('$value against a budget of $budget: over is $over', ({ value, budget, over }) => {
  expect(isOver({ ...figure, value, budget })).toBe(over);
});

test('a figure without a budget is never over', () => {
  expect(isOver({ ...figure, value: 1_000_000 })).toBe(false);
});

test('the median of an odd and of an even number of runs', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

const manifest = {
  'src/portal/entry-client.tsx': {
    file: 'e.js',
    isEntry: true,
    imports: ['_r.js'],
  },
  '_r.js': { file: 'r.js', imports: ['_r.js'] },
  'src/portal/screens/sign-in/sign-in-screen.tsx': {
    file: 's.js',
    imports: ['_r.js'],
  },
};

test('a view loads its chunks and what they import, each file once', () => {
  const js = closureOf(manifest, ['src/portal/entry-client.tsx', screenEntry(manifest, 'sign-in')]);
  expect([...js]).toEqual(['e.js', 'r.js', 's.js']);
});

test('the styles are one file, and a build without it fails', () => {
  expect(styleSheetOf({ 'style.css': { file: 's.css' } })).toBe('s.css');
  expect(() => styleSheetOf(manifest)).toThrow('style sheet');
});

test('a screen that is not there fails instead of counting nothing', () => {
  expect(() => screenEntry(manifest, 'sign-up')).toThrow('sign-up');
});

test('a file that cannot be loaded counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ];
  const report = { numPassedTests: 1, numFailedTests: 1, testResults };
  expect(vitestCounts(report)).toEqual({ passed: 1, failed: 2 });
});

test('a flaky journey counts as a failure, and so does a missing report', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1 };
  expect(playwrightCounts({ stats, errors: [] })).toEqual({ passed: 3, failed: 2 });
  expect(playwrightCounts(undefined)).toEqual({ passed: 0, failed: 1 });
});

test('what failed is named, with how its message begins', () => {
  const vitest = {
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'good', failureMessages: [] },
          { status: 'failed', fullName: 'bad', failureMessages: ['\u001b[31mis 2\u001b[39m'] },
        ],
      },
    ],
  };
  expect(failuresOf(vitest)).toEqual([
    'a.test.ts › could not run\n    no such module',
    'b.test.ts › bad\n    is 2',
  ]);

  const spec = (title: string, ok: boolean) => {
    const error = ok ? {} : { error: { message: 'not visible' } };
    return { file: 'c.spec.ts', title, ok, tests: [{ results: [error] }] };
  };
  const suites = [{ specs: [spec('seen', true)], suites: [{ specs: [spec('missed', false)] }] }];
  expect(failuresOf({ suites, errors: [] })).toEqual(['c.spec.ts › missed\n    not visible']);
  expect(failuresOf(undefined)).toEqual([]);
});
