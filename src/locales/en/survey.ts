/** Question 213, and the field of 'Other' (SUP-08). */
export const surveyForm = {
  question: 'How did you hear about us?',
  more: 'Please tell us more',
} as const;

/** Its options; 'Other' comes first (SUP-08). */
export const survey = {
  other: 'Other',
  friend: 'Friend or family',
  doctor: 'Doctor or nurse',
  event: 'Community event',
  center: 'Senior center',
  internet: 'Internet search',
} as const;
