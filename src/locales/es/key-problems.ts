import type { keyProblems as english } from '../en/key-problems.ts';
import type { Spanish } from './spanish.ts';

export const keyProblems = {
  cancelled: 'El aparato no se desbloqueó, o usted lo paró.',
  tooLate: 'El aparato no se desbloqueó a tiempo.',
  unknown: 'Ya no conocemos esta llave.',
  deviceCannot: 'Este aparato no puede usarla aquí.',
  savedBefore: 'Ya hay una llave guardada en este aparato.',
  suspended: 'Su cuenta está apagada. Por favor, llámenos.',
  codeFirst: 'Esta llave pide una vez su contraseña y un código. Después sirve otra vez.',
  refused: 'No pudimos comprobarla.',
  offline: 'Este aparato no tiene conexión.',
} as const satisfies Spanish<typeof english>;
