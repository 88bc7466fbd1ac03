import type { survey as english } from '../en/survey.ts';
import type { Spanish } from './spanish.ts';

export const survey = {
  other: 'Otra cosa',
  friend: 'Familia o amistades',
  doctor: 'Personal médico o de enfermería',
  event: 'Una actividad de la comunidad',
  center: 'Un centro para personas mayores',
  internet: 'Una búsqueda en internet',
} as const satisfies Spanish<typeof english>;
