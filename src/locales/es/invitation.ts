import type { invitation as english } from '../en/invitation.ts';
import type { Spanish } from './spanish.ts';

export const invitation = {
  title: '{by} le invita',
  plainTitle: 'Una invitación',
  panelTitle: 'Usted decide',
  panelText: 'Sin su sí no hay ninguna cuenta.',
  where: 'A',
  what: 'Usted sería',
  email: 'Su dirección aquí',
  byOrganisation: 'Sí, con el acceso de {label}',
  orPassword: 'O elija una contraseña. Es solo para este sitio.',
  password: 'Elija una contraseña para decir que sí. Antes no pasa nada.',
  submit: 'Sí, con esta contraseña',
  decline: 'No los conozco',
  signedIn: 'Su sesión es la de {name}',
  signedInText: 'Esta invitación es para otra persona. Primero cierre la sesión y siga aquí.',
  signOut: 'Cerrar la sesión y seguir',
  accepted: 'Su cuenta está lista',
  signIn: 'Iniciar sesión',
  declined: 'Gracias. La invitación terminó',
  over: 'Esta invitación terminó',
  why: {
    accepted: 'Entre con su correo y su contraseña.',
    declined: 'No hay ninguna cuenta. Vemos quién la envió. Usted no tiene que hacer nada.',
    over: 'La retiraron, hay un correo más nuevo, o tiene más de 7 días. Busque el correo más nuevo, pregunte a quien le invitó, o llámenos.',
  },
  toSignIn: 'Ir a la página de acceso',
} as const satisfies Spanish<typeof english>;
