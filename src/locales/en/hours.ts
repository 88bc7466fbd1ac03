/** The hours of the help line. The server alone writes these texts: no browser's bundle has them. */
export const hours = {
  openUntil: 'Open now, until {time}',
  openLong: 'Open now',
  opensToday: 'We open at {time}',
  opensTomorrow: 'We open tomorrow at {time}',
  opensOn: 'We open on {day} at {time}',
  day: '{day} {from} to {to}.',
  days: '{first} to {last} {from} to {to}.',
  everyDay: 'Every day {from} to {to}.',
  always: 'Every day, day and night.',
  noon: 'noon',
  midnight: 'midnight',
  am: '{time} am',
  pm: '{time} pm',
} as const;
