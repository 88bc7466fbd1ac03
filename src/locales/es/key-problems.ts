import type { keyProblems as english } from '../en/key-problems.ts';
import type { Spanish } from './spanish.ts';

export const keyProblems = {
  cancelled: 'No se desbloqueó, o usted lo canceló.',
  tooLate: 'El dispositivo no se desbloqueó a tiempo.',
  unknown: 'Ya no conocemos esta llave.',
  deviceCannot: 'Este dispositivo no puede usarla aquí.',
  savedBefore: 'Ya hay una llave de acceso en este dispositivo.',
  suspended: 'Su cuenta está desactivada. Por favor, llámenos.',
  codeFirst: 'Entre una vez con su contraseña y un código. Después su llave sirve de nuevo.',
  refused: 'No pudimos comprobarla.',
  offline: 'Este dispositivo no tiene conexión.',
} as const satisfies Spanish<typeof english>;
