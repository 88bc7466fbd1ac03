import type { survey as english, surveyForm as englishForm } from '../en/survey.ts';
import type { Spanish } from './spanish.ts';

export const surveyForm = {
  question: '¿Cómo supo de nosotros?',
  more: 'Por favor, cuéntenos más',
} as const satisfies Spanish<typeof englishForm>;

export const survey = {
  other: 'Otra cosa',
  friend: 'Familia o amistades',
  doctor: 'Personal médico o de enfermería',
  event: 'Una actividad de la comunidad',
  center: 'Un centro para personas mayores',
  internet: 'Una búsqueda en internet',
} as const satisfies Spanish<typeof english>;
