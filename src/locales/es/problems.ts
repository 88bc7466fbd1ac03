import type { problems as english } from '../en/problems.ts';
import type { Spanish } from './spanish.ts';

export const problems = {
  wrongCredentials: 'El correo o la contraseña no son correctos. Por favor, pruebe otra vez.',
  general: 'Algo ha fallado. Pruebe otra vez más tarde.',
  allRequired: 'Por favor, rellene todo lo que está marcado.',
  otpWrong: 'El código no es correcto.',
  otpExpired: 'El código ha caducado',
  otpDead: 'Este código se probó demasiadas veces. Por favor, pida otro.',
  otherSignIn:
    'En este navegador se empezó otra entrada. Solo sigue la más nueva, con su propio código.',
  accountSuspended: 'Su cuenta está desactivada.',
  notStaff: 'Usted no es del personal; pruebe con el botón de abajo.',
  tooMany: 'Demasiadas pruebas. Por favor, espere {minutes} y pruebe otra vez.',
  tooSoon: 'Por favor, espere a que acabe el tiempo. Después pida otro código.',
  invalidLink: 'El enlace no es válido',
  handoffLoop: 'Le enviamos allí tres veces seguidas. Por eso paramos aquí.',
  unavailable: 'Algo ha fallado',
} as const satisfies Spanish<typeof english>;
