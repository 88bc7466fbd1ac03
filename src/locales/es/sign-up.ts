import type { signUp as english } from '../en/sign-up.ts';
import type { Spanish } from './spanish.ts';

export const signUp = {
  title: 'Crear una cuenta',
  trial: 'Empiece su prueba gratis de 30 días.',
  firstName: 'Nombre',
  lastName: 'Apellido',
  email: 'Correo electrónico',
  password: 'Contraseña',
  confirm: 'Repita la contraseña',
  promo: 'Código promocional',
  submit: 'Crear una cuenta',
  pending: 'Creamos su cuenta…',
  pendingSpoken: 'Creamos su cuenta',
  haveAccount: '¿Ya tiene una cuenta?',
  logIn: 'Inicie sesión',
  signIn: 'Iniciar sesión',
} as const satisfies Spanish<typeof english>;
