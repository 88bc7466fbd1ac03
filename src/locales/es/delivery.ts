import type { delivery as english } from '../en/delivery.ts';
import type { Spanish } from './spanish.ts';

export const delivery = {
  label: 'Dónde está su código',
  spoken: '{channel}: {state}.',
  phoneEnding: 'teléfono que termina en {digits}',
  channels: { email: 'Correo', sms: 'Mensaje', whatsapp: 'WhatsApp' },

  onItsWay: 'en camino',
  stillTrying: 'seguimos probando',
  sent: 'enviado {time}',
  notYet: 'aún no ha llegado',
  delivered: 'llegó {time}',
  cameBack: 'ha vuelto',
  notThere: 'no ha llegado',
  notSent: 'sin enviar',

  failedEmail: 'No pudimos entregar su correo.',
  failedPhone: 'No pudimos entregar su mensaje de texto.',
  email: {
    invalid: 'No hay ningún buzón con este correo.',
    blocked: 'El servicio de este correo no acepta el nuestro.',
    suppressed: 'De este buzón ya volvió más de un correo. Por eso no enviamos más.',
    unreachable: 'El buzón está lleno o cerrado.',
    notAllowed: 'No podemos enviar correo a esta dirección.',
    unavailable: 'Nuestro correo no funciona ahora.',
    expired: 'El envío tardó demasiado.',
  },
  phone: {
    invalid: 'A este número no le llegan mensajes de texto.',
    blocked: 'Este teléfono no acepta nuestros mensajes.',
    suppressed: 'Este teléfono no acepta nuestros mensajes.',
    unreachable: 'El teléfono está apagado o sin señal.',
    notAllowed: 'No podemos enviar mensajes a este número.',
    unavailable: 'No podemos enviar mensajes de texto.',
    expired: 'El envío tardó demasiado.',
  },
  useMail: 'Use el código de su correo.',
  usePhone: 'Use el código de su teléfono.',
  mailBack: 'El correo ha vuelto.',
  mailNotSent: 'El correo no salió.',
  textNotThere: 'El mensaje no llegó.',
  textNotSent: 'El mensaje no salió.',
  checkBoth: 'Por favor, mire si su correo y su teléfono están bien escritos.',
  byEmail: 'Pedir otro código solo por correo',
  byText: 'Pedir otro código solo por mensaje',
  again: 'Probar a enviarlo otra vez',
} as const satisfies Spanish<typeof english>;
