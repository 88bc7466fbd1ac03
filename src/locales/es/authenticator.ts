import type { appCodes as english } from '../en/authenticator.ts';
import type { Spanish } from './spanish.ts';

export const appCodes = {
  title: 'Códigos de una app',
  lead: 'Una app de su teléfono puede darle el código. Entonces no le enviamos ninguno al entrar.',
  rowOff: 'No. Le enviamos un código por correo.',
  rowOn: 'Sí. Su app le da el código.',
  before:
    'Hágalo solo si tiene una app así, o si alguien le ayuda con ella. Si pierde la app y la hoja de códigos, tendrá que llamarnos.',
  start: 'Empezar',
  step1: '1. Abra su app',
  step1Text: 'Sirve cualquier app de códigos. Por ejemplo, una de Google. Presione + en ella.',
  step2: '2. Apunte con la cámara de la app a este dibujo',
  picture: 'Dibujo para su app. La misma clave está debajo en letras.',
  byHand: 'O escriba esta clave en la app:',
  step3: '3. Escriba el código que le da',
  code: 'Su código de 6 dígitos',
  confirm: 'Activar',
  stop: 'Ahora no',
  on: 'Sí. La activó {ago}.',
  left: {
    one: 'Le queda {count} código de recuperación.',
    many: 'Le quedan {count} de códigos de recuperación.',
    other: 'Le quedan {count} códigos de recuperación.',
  },
  renewText: 'Los códigos nuevos sustituyen a los anteriores.',
  renew: 'Ver códigos de recuperación nuevos',
  removeText: '¿Ya no la quiere, o tiene otro teléfono? Quítela. Después puede activarla de nuevo.',
  remove: 'Quitar',
  codesTitle: 'Sus códigos de recuperación',
  codesLead:
    '¿Perdió su teléfono o se rompió? Entonces uno de estos abre su cuenta. Cada uno sirve una vez.',
  keep: 'Guárdelos donde guarda sus llaves.',
  once: 'Imprima esta página o escríbalos ahora. No podremos mostrarlos de nuevo.',
  done: 'Ya los tengo',
} as const satisfies Spanish<typeof english>;
