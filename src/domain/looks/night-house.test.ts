import { expect, test } from 'vitest';
import { houseWindows } from './night-house.ts';

const others = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `device ${n}`, isHere: false }));
const here = { name: 'Here', isHere: true };
const names = (count: number, windows: number) =>
  houseWindows([...others(count), here], windows).map((light) => light && light.name);

test.each([
  [0, 3, ['Here', null, null]],
  [2, 3, ['Here', 'device 0', 'device 1']],
  [3, 3, ['Here', 'device 0', '+2']],
  [6, 5, ['Here', 'device 0', 'device 1', 'device 2', '+3']],
])('[ACC-14] here and %i more have %i windows', (count, windows, shown) => {
  expect(names(count, windows)).toEqual(shown);
});
