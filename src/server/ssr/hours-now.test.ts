import { expect, test } from 'vitest';
import { parseOpeningHours } from '#domain/text/opening-hours.ts';
import { textsIn } from '#locales/catalogue.ts';
import { createHoursNow } from './hours-now.ts';

const USUAL = 'Mon-Fri 8:00-20:00, Sat 9:30-12:00';

function at(moment: string, hours = USUAL, timeZone = 'America/New_York') {
  return createHoursNow(
    { spans: parseOpeningHours(hours) ?? [], timeZone },
    textsIn('en'),
  )(new Date(moment));
}

test.each([
  ['2026-11-23T13:00:00Z', true, 'Open now, until 8 pm'],
  ['2026-11-23T12:59:59Z', false, 'We open at 8 am'],
  // Tuesday in London, still Monday evening in New York.
  ['2026-11-24T01:00:00Z', false, 'We open tomorrow at 8 am'],
  ['2026-11-28T14:30:00Z', true, 'Open now, until noon'],
  ['2026-11-28T17:00:00Z', false, 'We open on Monday at 8 am'],
  // In summer the same hour is another one of UTC.
  ['2026-07-20T12:00:00Z', true, 'Open now, until 8 pm'],
])('[HLP-02] at %s the lamp says so by the clock of the zone', (moment, isOpen, now) => {
  expect(at(moment)).toMatchObject({ isOpen, now });
});

test.each([
  [USUAL, ['Monday to Friday 8 am to 8 pm.', 'Saturday 9:30 am to noon.']],
  ['Mon-Sun 0:00-24:00', ['Every day, day and night.']],
  ['Mon-Sun 7:00-24:00', ['Every day 7 am to midnight.']],
])('[HLP-02] %s is told in words', (hours, week) => {
  expect(at('2026-11-23T13:00:00Z', hours).week).toEqual(week);
});

test('[HLP-02] open day and night has no end', () => {
  expect(at('2026-11-23T13:00:00Z', 'Mon-Sun 0:00-24:00').now).toBe('Open now');
});
