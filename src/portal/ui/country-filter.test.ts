import { expect, test } from 'vitest';
import type { Country } from '#domain/typed/phone.ts';
import { filterCountries } from './country-filter.ts';

const country = (iso: string, value: string, name: string): Country => ({
  label: `(${value}) ${name}`,
  value,
  iso,
  example: '',
});

const COUNTRIES = [
  country('US', '+1', 'USA'),
  country('KE', '+254', 'Kenya'),
  country('IN', '+91', 'India'),
  country('AS', '+1', 'American Samoa'),
  country('AO', '+244', 'Angola'),
  country('CA', '+1', 'Canada'),
  country('CI', '+225', "Côte d'Ivoire"),
  country('GG', '+44', 'Guernsey'),
  country('UA', '+380', 'Ukraine'),
  country('JM', '+1', 'Jamaica'),
  country('PH', '+63', 'Philippines'),
  country('CO', '+57', 'Colombia'),
  country('MX', '+52', 'Mexico'),
  country('CU', '+53', 'Cuba'),
  country('AE', '+971', 'United Arab Emirates'),
  country('GB', '+44', 'United Kingdom'),
];

test.each([
  ['', 16],
  ['44', 2],
  ['united k', 1],
  ['cote', 1],
  ['  usa ', 1],
  ['nowhere', 0],
])('[SUP-06] %j finds %d', (query, count) => {
  expect(filterCountries(COUNTRIES, query)).toHaveLength(count);
});

test.each([
  ['united states', 'US'],
  ['america', 'US'],
  ['us', 'US'],
  ['+1', 'US'],
  ['uk', 'GB'],
  ['england', 'GB'],
  ['united k', 'GB'],
  ['+44', 'GB'],
  ['kenia', 'KE'],
  ['uae', 'AE'],
  ['ukr', 'UA'],
  ['can', 'CA'],
  ['ivory coast', 'CI'],
])('[V7] %j means %s', (query, iso) => {
  expect(filterCountries(COUNTRIES, query)[0]?.iso).toBe(iso);
});

test.each([
  ['jamacia', 'JM'],
  ['phillipines', 'PH'],
  ['columbia', 'CO'],
  ['mexiko', 'MX'],
  ['Untied Kingdom', 'GB'],
  ['hinndustan', 'IN'],
])('[V33] %j is misspelled and finds %s alone', (query, iso) => {
  expect(filterCountries(COUNTRIES, query).map((each) => each.iso)).toEqual([iso]);
});

test.each(['cu8', 'xyzw', 'nowhere', '999'])('[V33] %j is near no name and finds none', (query) => {
  expect(filterCountries(COUNTRIES, query)).toEqual([]);
});
