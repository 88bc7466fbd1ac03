import type { survey as english } from '../en/survey.ts';
import type { Spanish } from './spanish.ts';

export const survey = {
  other: 'Otra cosa',
  friend: 'Familia o amistades',
  doctor: 'Personal médico',
  event: 'Un encuentro en el barrio',
  center: 'Un centro de mayores',
  internet: 'Una búsqueda en internet',
} as const satisfies Spanish<typeof english>;
