import type { keyFailed as english } from '../en/key-failed.ts';
import type { Spanish } from './spanish.ts';

export const keyFailed = {
  backToLogin: 'Volver a la entrada',
  failedTitle: 'Su llave no funcionó',
  failedLead: 'No se ha perdido nada, y su cuenta está segura. {why} Hay dos caminos.',
  again: 'Probar la llave otra vez',
  againText: 'Tenga listos su cara, su dedo o su clave.',
  againButton: 'Probar otra vez',
  without: 'Entrar sin la llave',
  withoutText: 'Con su contraseña y un código de 6 cifras, como antes.',
  withoutButton: 'Usar mi contraseña',
  eachTime: '¿Falla siempre? Entre con su contraseña y guarde otra llave en Mi cuenta.',
  panelTitle: 'Dos caminos a la misma puerta.',
  panelText: 'Una llave que falla una vez no es un problema. Sigue junto a la puerta.',
} as const satisfies Spanish<typeof english>;
