import type { interactions as english } from '../en/interactions.ts';
import type { Spanish } from './spanish.ts';

export const interactions = {
  signInTitle: 'Iniciar sesión',
  signingInTo: 'Va a iniciar sesión en {client}.',
  lead: 'Use el correo y la contraseña que tiene aquí. {client} nunca ve su contraseña.',
  cancel: 'Cancelar y volver a {client}',
  consentTitle: '¿Compartir con {client}?',
  consentLead: '{client} quiere saber:',
  scopes: {
    openid: 'Un número de su cuenta, para reconocerle cuando vuelva',
    profile: 'Su nombre y su apellido',
    email: 'Su correo',
    phone: 'Su número de teléfono',
    roles: 'Su función aquí, por ejemplo miembro o personal, y su organización',
    offline_access: 'Esto también cuando no esté, hasta que cierre sesión o retire el permiso',
  },
  apiScope: 'Y hacer esto por usted: {scope}',
  consentNever: 'Nunca recibe su contraseña ni sus códigos.',
  consentKept:
    'Recordamos su respuesta. Le preguntaremos de nuevo cuando {client} quiera saber más.',
  consentPanelTitle: 'Usted decide qué sale por la puerta.',
  consentPanelText: '{client} es otra casa. Recibe lo que hay en la canasta, y nada más.',
  allow: 'Permitir',
  allowing: 'Abrimos {client}…',
  deny: 'No permitir',
  notYou: '¿No es usted? Cierre la sesión',
  overTitle: 'Este inicio de sesión terminó',
  overText:
    'Ya se usó, tardó demasiado o el enlace tiene un error. No perdió nada. Vuelva a la app y empiece de nuevo.',
  refusedTitle: 'La app cometió un error',
  refusedText:
    'Usted no hizo nada mal, y no perdió nada. Por favor, avise al equipo de la otra app.',
  refusedReference: 'Pueden darnos esta referencia: {reference}',
  refusedCause: 'Para quienes programan la app: {cause}',
  startAgain: 'Empezar de nuevo en {client}',
  toSignIn: 'Ir a iniciar sesión',
  signOutTitle: '¿Quiere cerrar la sesión?',
  signOutText: 'Otra app pidió cerrar aquí su sesión.',
  signOutYes: 'Sí, cerrar mi sesión',
  signOutNo: 'No, mantenerla abierta',
} as const satisfies Spanish<typeof english>;
