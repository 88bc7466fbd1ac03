import type { appCodes as english } from '../en/app-codes.ts';
import type { Spanish } from './spanish.ts';

export const appCodes = {
  title: 'Códigos de una app',
  lead: 'Una app de su teléfono le puede dar el código. Entonces no le enviamos ninguno al entrar.',
  rowOff: 'No. Le enviamos un código por correo.',
  rowOn: 'Sí. Su app le da el código.',
  before:
    'Hágalo solo si tiene una app así, o si alguien le ayuda con ella. Si pierde la app y la hoja de códigos, tendrá que llamarnos.',
  start: 'Empezar',
  step1: '1. Abra su app',
  step1Text: 'Sirve cualquier app para códigos, por ejemplo una de Google. Pulse + en ella.',
  step2: '2. Apunte con ella a este dibujo',
  picture: 'Dibujo para su app. La misma clave está debajo como texto.',
  byHand: 'O escriba esta clave en la app:',
  step3: '3. Escriba el código que le da',
  code: 'Su código de 6 cifras',
  confirm: 'Activar',
  stop: 'Ahora no',
  on: 'Sí. La activó {ago}.',
  left: {
    one: 'Le queda {count} código de reserva.',
    many: 'Le quedan {count} de códigos de reserva.',
    other: 'Le quedan {count} códigos de reserva.',
  },
  renewText: 'Los códigos nuevos valen en lugar de los de antes.',
  renew: 'Ver códigos de reserva nuevos',
  removeText: '¿Ya no la quiere, o tiene otro teléfono? Quítela, y luego actívela otra vez.',
  remove: 'Quitar',
  codesTitle: 'Sus códigos de reserva',
  codesLead:
    '¿Perdió su teléfono o se rompió? Entonces uno de estos abre su cuenta. Cada uno sirve una vez.',
  keep: 'Guárdelos donde guarda sus llaves.',
  once: 'Imprima esta página o escríbalos ahora. No los podemos mostrar otra vez.',
  done: 'Ya los tengo',
} as const satisfies Spanish<typeof english>;
