import type { signIn as english } from '../en/sign-in.ts';
import type { Spanish } from './spanish.ts';

export const signIn = {
  title: 'Iniciar sesión',
  staffTitle: 'Acceso de pagos del personal',
  staffBadge: 'Personal',
  lead: 'Le damos la bienvenida. Escriba su correo y su contraseña.',
  email: 'Correo electrónico',
  password: 'Contraseña',
  rememberMe: 'Recordar mi correo',
  rememberHint: 'Solo en su propio dispositivo. Recordamos su correo, no su contraseña.',
  submit: 'Iniciar sesión',
  pending: 'Iniciamos su sesión…',
  pendingSpoken: 'Iniciamos su sesión',
  nextStep:
    'Después enviaremos un código de 6 dígitos a su correo y a su teléfono. Así su cuenta está segura.',
  noAccount: '¿No tiene una cuenta?',
  signUp: 'Crear una cuenta',
  forgotNudge: '¿Olvidó su contraseña? Puede elegir otra.',
  continueAs: 'Continuar como {name}',
  notYou: '¿No es usted? Cierre la sesión',
  timeoutTitle: 'La sesión terminó',
  timeoutText: 'Cerramos su sesión porque pasó un tiempo sin actividad.',
  timeoutOk: 'De acuerdo, gracias',
  alreadyIn: 'Su sesión ya está abierta',
  otherAccount: 'Usar otra cuenta',
} as const satisfies Spanish<typeof english>;
