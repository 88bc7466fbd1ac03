import type { helperProblems as english } from '../en/helper-problems.ts';
import type { Spanish } from './spanish.ts';

export const helperProblems = {
  relationRequired: 'Por favor, diga qué relación tiene con usted',
  relationInvalid: 'Por favor, use pocas palabras, como: mi hija',
  helperIsYou: 'Este es su propio correo. Por favor, escriba el de quien le ayuda',
  helperIsThere: 'Ya se lo pidió a esta persona',
  helpersFull: 'Ya le ayudan 3 personas. Por favor, termine primero una ayuda',
} as const satisfies Spanish<typeof english>;
