import type { activation as english } from '../en/activation.ts';
import type { Spanish } from './spanish.ts';

export const activation = {
  checking: 'Comprobamos su enlace…',
  title: 'Active su cuenta',
  lead: 'Enviamos un código de 6 dígitos a {email} y al {phone}',
  confirmLead: '¿Fue usted? Alguien creó una cuenta con {email} y el {phone}',
  confirm: 'Sí, activar mi cuenta',
  confirming: 'Activamos su cuenta…',
  reject: 'No, no fui yo',
  rejecting: 'Borramos esos datos…',
  rejectedTitle: 'Gracias por avisarnos',
  rejectedText: 'Borramos esos datos. No tiene que hacer nada más.',
  submit: 'Enviar mi código',
  submitInstead: 'Prefiero recibir un código',
  pending: 'Enviamos su código…',
  doneTitle: 'Correo confirmado',
  doneText: 'Su cuenta está activa. Ya puede entrar.',
  invalidTitle: 'Este enlace no es válido',
  invalidText: 'El enlace que quiere abrir no es válido o ya no existe',
  expiredTitle: 'Este enlace venció',
  expiredText: 'El enlace que quiere abrir venció o ya no existe',
  login: 'Iniciar sesión',
  newLink: 'Pedir otro enlace',
} as const satisfies Spanish<typeof english>;
