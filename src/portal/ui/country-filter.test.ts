import { expect, test } from 'vitest';
import { filterCountries } from './country-filter.ts';

const COUNTRIES = [
  { label: '(+1) USA', value: '+1' },
  { label: '(+44) United Kingdom', value: '+44' },
  { label: "(+225) Côte d'Ivoire", value: '+225' },
];

test.each([
  ['', 3],
  ['44', 1],
  ['+44', 1],
  ['united k', 1],
  ['cote', 1],
  ['  usa ', 1],
  ['nowhere', 0],
])('[SUP-06] %j finds %d', (query, count) => {
  expect(filterCountries(COUNTRIES, query)).toHaveLength(count);
});
