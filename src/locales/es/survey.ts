import type { survey as english } from '../en/survey.ts';
import type { Spanish } from './spanish.ts';

export const survey = {
  other: 'Otra cosa',
  friend: 'Familia o amistades',
  doctor: 'Una persona del equipo médico',
  event: 'Una actividad en el barrio',
  center: 'Un centro de mayores',
  internet: 'Una búsqueda en internet',
} as const satisfies Spanish<typeof english>;
