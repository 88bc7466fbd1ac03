import type {
  counterBar as bar,
  counterNext as next,
  ownDevice as own,
  sharedDevice as english,
} from '../en/shared-device.ts';
import type { Spanish } from './spanish.ts';

export const counterBar = {
  label: 'Aparato compartido',
  title: 'Este aparato es de todos',
  text: 'No guardamos nada de usted en él.',
  clears: 'Esta página se borra en {time}',
  clearsShort: 'Se borra en {time}',
  asks: '¿Sigue usted ahí?',
  asksText: 'Esta página se va a borrar.',
  more: 'Necesito más tiempo',
  lead: 'Le damos la bienvenida. Cuando termine, pulse “He terminado”.',
  panelTitle: 'Tómese su tiempo.',
  panelText: 'Cada tecla que pulsa empieza los 5 minutos otra vez.',
  soonTitle: 'La puerta se cierra pronto.',
  soonText: 'Después no queda nada de usted en este dispositivo.',
  finished: 'He terminado',
} as const satisfies Spanish<typeof bar>;

export const counterNext = {
  title: 'Listo para la persona siguiente',
  text: 'Este aparato es de todos. No guarda nada de la última visita.',
  start: 'Empezar',
  signedOut: 'Sesión cerrada',
  nothingKept: 'No queda nada de lo escrito',
  standard: 'Letra normal otra vez',
} as const satisfies Spanish<typeof next>;

export const ownDevice = {
  title: 'No en un aparato compartido',
  text: 'Haga esto en su propio aparato. Aquí lo podría hacer también otra persona.',
  back: 'Volver a Mi cuenta',
} as const satisfies Spanish<typeof own>;

export const sharedDevice = {
  title: 'Aparato compartido',
  onLead: 'Para la sala de entrada: aquí entra mucha gente, uno tras otro.',
  keepsNothing: 'No guarda nada de ellos.',
  clears: 'Se borra solo si nadie lo toca en 5 minutos, y a los 30 en total.',
  signsOut: 'Su sesión se cierra aquí ahora.',
  name: 'Nombre de este aparato',
  nameHint: 'Por ejemplo: Recepción',
  on: 'Hacerlo compartido',
  offLead: 'Este navegador es ahora un aparato compartido.',
  off: 'Dejar de compartirlo',
} as const satisfies Spanish<typeof english>;
