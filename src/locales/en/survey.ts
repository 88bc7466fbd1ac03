/** Options of question 213; 'Other' comes first (SUP-08). */
export const survey = {
  other: 'Other',
  friend: 'Friend or family',
  doctor: 'Doctor or nurse',
  event: 'Community event',
  center: 'Senior center',
  internet: 'Internet search',
} as const;
