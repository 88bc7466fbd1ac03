import type { problems as english } from '../en/problems.ts';
import type { Spanish } from './spanish.ts';

export const problems = {
  wrongCredentials: 'El correo o la contraseña no son correctos. Por favor, inténtelo de nuevo.',
  general: 'Algo ha fallado. Inténtelo más tarde.',
  allRequired: 'Por favor, complete todo lo que está marcado.',
  otpWrong: 'El código no es correcto.',
  otpExpired: 'El código ha caducado',
  otpDead: 'Hubo demasiados intentos con este código. Por favor, pida otro.',
  otherSignIn:
    'Aquí se empezó a entrar otra vez. Solo sirve el más reciente, con su propio código.',
  accountSuspended: 'Su cuenta está desactivada.',
  notStaff: 'Usted no es del personal; use el botón de abajo.',
  tooMany: 'Demasiados intentos. Por favor, espere {minutes} y inténtelo de nuevo.',
  tooSoon: 'Por favor, espere a que acabe el tiempo. Después pida otro código.',
  invalidLink: 'El enlace no es válido',
  handoffLoop: 'Le enviamos allí tres veces seguidas. Por eso paramos aquí.',
  unavailable: 'Algo ha fallado',
} as const satisfies Spanish<typeof english>;
