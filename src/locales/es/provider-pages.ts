import type { providerPages as english } from '../en/provider-pages.ts';
import type { Spanish } from './spanish.ts';

export const providerPages = {
  goToSignIn: 'Ir a iniciar sesión',
  notFound: 'No encontramos esa página',
  notSignedIn: 'No pudimos iniciar su sesión',
  appMistake: 'La app que le envió aquí cometió un error. Referencia: {reference}',
  startAgain: 'No perdió nada. Por favor, empiece de nuevo en la página de inicio de sesión.',
  signOutFailed: 'No pudimos cerrar su sesión por completo',
  signOutLink:
    'El enlace que le trajo aquí tiene un error. Puede ir a la página de inicio de sesión.',
  signedOut: 'Sesión cerrada',
  closePage: 'Ya puede cerrar esta página.',
  signOut: 'Cerrar sesión',
  signingOut: 'Cerramos su sesión',
  moment: 'Un momento, por favor.',
  askTitle: '¿Quiere cerrar la sesión?',
  askText: 'Otra página pidió cerrar su sesión.',
  askYes: 'Sí, cerrar mi sesión',
  askNo: 'No, mantenerla abierta',
} as const satisfies Spanish<typeof english>;
