import { describe, expect, test } from 'vitest';
import { openingAt, parseOpeningHours } from './opening-hours.ts';

const USUAL = 'Mon-Fri 8:00-18:00, Sat 9:00-12:30';
const [MON, WED, SAT, SUN] = [0, 2, 5, 6] as const;
const at = (day: number, hour: number, minute = 0) => ({ day, minute: hour * 60 + minute });
const opening = (text: string, time: ReturnType<typeof at>) =>
  openingAt(parseOpeningHours(text) ?? [], time);

test('[HLP-02] hours are read as they are typed, in any letter case', () => {
  expect(parseOpeningHours(USUAL)).toEqual([
    { firstDay: 0, lastDay: 4, from: 480, to: 1080 },
    { firstDay: 5, lastDay: 5, from: 540, to: 750 },
  ]);
  expect(parseOpeningHours('sat-MON 0:00-24:00')).toEqual([
    { firstDay: 5, lastDay: 0, from: 0, to: 1440 },
  ]);
});

test.each([
  '',
  'always',
  '8:00-18:00',
  'Mon-Fri',
  'Mon-Fri 8-18',
  'Mon-Fri 18:00-8:00',
  'Mon-Fri 8:00-8:00',
  'Mon-Fri 8:60-9:00',
  'Mon-Fri 8:00-24:01',
  'Mon-Fry 8:00-18:00',
  'Mon-Fri 8:00-18:00,',
  'Monday 8:00-18:00',
  'Mon-Fri 8:00-18:00; Sat 9:00-12:00',
])('[HLP-02] %j is refused', (text) => {
  expect(parseOpeningHours(text)).toBeNull();
});

describe('[HLP-02] the lamp is lit while somebody answers', () => {
  test.each([
    ['in the morning', USUAL, at(WED, 8), 1080],
    ['in the last minute', USUAL, at(WED, 17, 59), 1080],
    ['two spans without a break', 'Mon 8:00-12:00, Mon 12:00-17:00', at(MON, 9), 1020],
    ['beyond midnight', 'Fri 20:00-24:00, Sat 0:00-2:00', at(4, 23), 120],
    ['until midnight', 'Fri 20:00-24:00', at(4, 23), 1440],
    ['day and night', 'Mon-Sun 0:00-24:00', at(SUN, 3), null],
  ])('%s', (_name, text, time, until) => {
    expect(opening(text, time)).toEqual({ isOpen: true, until });
  });

  test.each([
    ['before it opens', USUAL, at(WED, 7, 59), 0, at(WED, 8)],
    ['at the moment it closes', USUAL, at(WED, 18), 1, at(3, 8)],
    ['over the week-end', USUAL, at(SAT, 12, 30), 2, at(MON, 8)],
    ['in the break at noon', 'Mon 8:00-12:00, Mon 13:00-17:00', at(MON, 12), 0, at(MON, 13)],
    ['a whole week', 'Mon 8:00-12:00', at(MON, 12), 7, at(MON, 8)],
  ])('unlit %s', (_name, text, time, inDays, opens) => {
    expect(opening(text, time)).toEqual({ isOpen: false, inDays, opens });
  });
});
