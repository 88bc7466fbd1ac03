import type { interactions as english } from '../en/interactions.ts';
import type { Spanish } from './spanish.ts';

export const interactions = {
  signInTitle: 'Iniciar sesión',
  signingInTo: 'Va a entrar en {client}.',
  lead: 'Use el correo y la contraseña que tiene aquí. {client} nunca ve su contraseña.',
  cancel: 'Dejarlo y volver a {client}',
  consentTitle: '¿Compartir con {client}?',
  consentLead: '{client} quiere saber:',
  scopes: {
    openid: 'Que es usted: un número que representa su cuenta',
    profile: 'Su nombre y su apellido',
    email: 'Su correo',
    phone: 'Su número de teléfono',
    roles: 'Qué es usted aquí, por ejemplo miembro o personal, y su organización',
    offline_access: 'Esto también cuando no esté, hasta que cierre sesión o diga basta',
  },
  apiScope: 'Y hacer esto por usted: {scope}',
  consentNever: 'Nunca recibe su contraseña ni sus códigos.',
  consentKept: 'Recordamos su respuesta. Le preguntamos otra vez cuando {client} quiera saber más.',
  consentPanelTitle: 'Usted decide qué sale por la puerta.',
  consentPanelText: '{client} es otra casa. Recibe lo que hay en la cesta, y nada más.',
  allow: 'Permitir',
  allowing: 'Abrimos {client}…',
  deny: 'No permitir',
  notYou: '¿No es usted? Cierre la sesión',
  overTitle: 'Esta entrada ha terminado',
  overText:
    'Ya estaba hecha, tardó mucho o el enlace tiene un error. No ha perdido nada. Vuelva a la app y empiece otra vez.',
  refusedTitle: 'La app cometió un error',
  refusedText:
    'Usted no hizo nada mal, y no ha perdido nada. Por favor, avise a quienes llevan la otra app.',
  refusedReference: 'Pueden darnos esta referencia: {reference}',
  refusedCause: 'Para quienes programan la app: {cause}',
  startAgain: 'Empezar otra vez en {client}',
  toSignIn: 'Ir a la entrada',
  signOutTitle: '¿Quiere cerrar la sesión?',
  signOutText: 'Otra app pidió cerrar aquí su sesión.',
  signOutYes: 'Sí, cerrar mi sesión',
  signOutNo: 'No, seguir dentro',
} as const satisfies Spanish<typeof english>;
