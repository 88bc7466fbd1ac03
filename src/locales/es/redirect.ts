import type { redirect as english } from '../en/redirect.ts';
import type { Spanish } from './spanish.ts';

export const redirect = {
  title: 'Le abrimos la puerta',
  failedTitle: 'No pudimos iniciar su sesión',
  steps: [
    'Comprobamos que la conexión es segura',
    'Comprobamos quién es usted',
    'Comprobamos su sesión',
    'Comprobamos si tiene varias funciones',
    'Todo está bien, ya entra',
  ],
  sendingOtp: 'Enviamos su código',
  backToSignIn: 'Volver a iniciar sesión',
  universalLogin: 'Ir al inicio de sesión general',
} as const satisfies Spanish<typeof english>;
