import type { redirect as english } from '../en/redirect.ts';
import type { Spanish } from './spanish.ts';

export const redirect = {
  title: 'Le abrimos la puerta',
  failedTitle: 'No pudimos abrirle',
  steps: [
    'Miramos que la conexión sea segura',
    'Miramos quién es usted',
    'Miramos su sesión',
    'Miramos si tiene varias funciones',
    'Todo está bien, ya entra',
  ],
  sendingOtp: 'Enviamos su código',
  backToSignIn: 'Volver a la entrada',
  universalLogin: 'Ir a la entrada general',
} as const satisfies Spanish<typeof english>;
