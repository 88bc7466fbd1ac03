import type { keyFailed as english } from '../en/key-failed.ts';
import type { Spanish } from './spanish.ts';

export const keyFailed = {
  backToLogin: 'Volver a iniciar sesión',
  failedTitle: 'Su llave no funcionó',
  failedLead: 'No perdió nada, y su cuenta está segura. {why} Tiene dos opciones.',
  again: 'Intentar de nuevo con la llave',
  againText: 'Con su cara, su dedo o su PIN.',
  againButton: 'Intentar de nuevo',
  without: 'Entrar sin la llave',
  withoutText: 'Con su contraseña y un código de 6 dígitos, como antes.',
  withoutButton: 'Usar mi contraseña',
  eachTime: '¿Falla siempre? Inicie sesión con su contraseña y guarde otra llave en Mi cuenta.',
  panelTitle: 'Dos caminos a la misma puerta.',
  panelText: 'A veces pasa. Su llave sigue ahí.',
} as const satisfies Spanish<typeof english>;
