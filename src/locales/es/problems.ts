import type { problems as english } from '../en/problems.ts';
import type { Spanish } from './spanish.ts';

export const problems = {
  wrongCredentials: 'El correo o la contraseña no son correctos. Por favor, inténtelo de nuevo.',
  general: 'Algo salió mal. Inténtelo más tarde.',
  tooSlow: 'Esto tarda más de lo normal. Por favor, inténtelo de nuevo.',
  allRequired: 'Por favor, complete todo lo que está marcado.',
  otpWrong: 'El código no es correcto.',
  otpExpired: 'El código venció',
  otpDead: 'Hubo demasiados intentos con este código. Por favor, pida otro.',
  otpReplaced: 'Ese código es de un mensaje anterior. Por favor, escriba el del más reciente.',
  otpOtherMinute: 'Por favor, espere el siguiente código. ¿Está bien la hora de su teléfono?',
  otherSignIn:
    'Aquí empezó otro inicio de sesión. Solo sirve el más reciente, con su propio código.',
  accountSuspended: 'Su cuenta está desactivada.',
  notStaff: 'Usted no es del personal; use el botón de abajo.',
  tooMany: 'Demasiados intentos. Por favor, espere {minutes} y inténtelo de nuevo.',
  tooSoon: 'Por favor, espere a que acabe el tiempo. Después pida otro código.',
  invalidLink: 'El enlace no es válido',
  handoffLoop: 'Le enviamos allí tres veces seguidas. Por eso paramos aquí.',
  unavailable: 'Algo salió mal',
} as const satisfies Spanish<typeof english>;
