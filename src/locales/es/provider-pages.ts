import type { providerPages as english } from '../en/provider-pages.ts';
import type { Spanish } from './spanish.ts';

export const providerPages = {
  goToSignIn: 'Ir a la entrada',
  notFound: 'No encontramos esa página',
  notSignedIn: 'No pudimos abrirle',
  appMistake: 'La app que le envió aquí cometió un error. Referencia: {reference}',
  startAgain: 'No ha perdido nada. Por favor, empiece otra vez en la página de entrada.',
  signOutFailed: 'No pudimos cerrar del todo su sesión',
  signOutLink: 'El enlace que le trajo aquí tiene un error. Puede ir a la página de entrada.',
  signedOut: 'Sesión cerrada',
  closePage: 'Ya puede cerrar esta página.',
  signOut: 'Cerrar sesión',
  signingOut: 'Cerramos su sesión',
  moment: 'Un momento, por favor.',
  askTitle: '¿Quiere cerrar la sesión?',
  askText: 'Otra página pidió cerrar su sesión.',
  askYes: 'Sí, cerrar mi sesión',
  askNo: 'No, seguir dentro',
} as const satisfies Spanish<typeof english>;
