import type { pages as english } from '../en/pages.ts';
import type { Spanish } from './spanish.ts';

export const pages = {
  congratulationTitle: 'Correo confirmado',
  phoneVerifiedTitle: 'Teléfono confirmado',
  created: '¡Felicidades! Su cuenta está creada',
  activated: '¡Felicidades! Su cuenta está activa',
  oldPassword: '¡Felicidades! Su cuenta está activa. Puede entrar con su contraseña anterior.',
  login: 'Iniciar sesión',
  backToSignUp: 'volver a «Crear una cuenta»',
  signedOutTitle: 'Sesión cerrada',
  signedOutText: 'Ya puede cerrar esta página.',
  signIn: 'Iniciar sesión',
  signUp: 'Crear una cuenta',
  signOutTitle: 'Cerrar sesión',
  signingOut: 'Cerramos su sesión…',
  signOutFailedTitle: 'No pudimos cerrar su sesión',
  signOutFailed: '¿Otras personas usan esta computadora? Por favor, cierre el navegador.',
  unauthorizedTitle: 'Lo sentimos, algo salió mal',
  unauthorizedPlain: 'Su cuenta no puede abrir esta página. Llámenos y lo revisamos con usted.',
  unauthorizedCountdown: 'Iremos al inicio de sesión en {seconds} segundos',
  stay: 'Quedarme en esta página',
  stayed: 'Usted se queda en esta página.',
  invalidText: 'El enlace que quiere abrir no es válido o ya no existe',
  notFoundTitle: 'Página no encontrada',
  notFoundText: 'No hay nada en esta dirección (error 404).',
  helpTitle: 'Llámenos o escríbanos',
} as const satisfies Spanish<typeof english>;
