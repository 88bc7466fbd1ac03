import type { stillPage as english } from '../en/still-page.ts';
import type { Spanish } from './spanish.ts';

export const stillPage = {
  off: 'No',
  on: 'Sí',
  clears:
    'Si presiona una opción, la página se abre de nuevo: tendrá que volver a escribir lo que escribió.',
  stands: 'Así estaba cuando se abrió la página.',
  checkAgain: 'Comprobar de nuevo',
  momentAgo: 'hace un momento',
} as const satisfies Spanish<typeof english>;
