import { describe, expect, it, test } from 'vitest';
import { phasesPassed } from './countdown-phases.ts';

describe('phasesPassed', () => {
  test.each([
    [60_200, 59_950, [60]],
    [30_100, 30_000, [30]],
    [29_990, 29_700, []],
    [200, -50, [0]],
    [-50, -300, []],
  ])('from %d ms to %d ms passes %j', (before, now, phases) => {
    expect(phasesPassed(before, now)).toEqual(phases);
  });

  it('says only what still matters after a sleep', () => {
    expect(phasesPassed(100_000, -5000)).toEqual([0]);
    expect(phasesPassed(100_000, 20_000)).toEqual([30]);
  });
});
