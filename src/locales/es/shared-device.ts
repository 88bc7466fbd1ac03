import type {
  counterBar as bar,
  counterNext as next,
  ownDevice as own,
  sharedDevice as english,
} from '../en/shared-device.ts';
import type { Spanish } from './spanish.ts';

export const counterBar = {
  label: 'Dispositivo compartido',
  title: 'Este dispositivo es de todos',
  text: 'No guardamos nada de usted en él.',
  clears: 'Esta página se borra en {time}',
  clearsShort: 'Se borra en {time}',
  asks: '¿Sigue usted ahí?',
  asksText: 'Esta página se va a borrar.',
  more: 'Necesito más tiempo',
  lead: 'Le damos la bienvenida. Cuando termine, presione «Ya terminé».',
  panelTitle: 'Tómese su tiempo.',
  panelText: 'Cada vez que toca una tecla, los 5 minutos vuelven a empezar.',
  soonTitle: 'La puerta se cierra pronto.',
  soonText: 'Después no queda nada de usted en este dispositivo.',
  finished: 'Ya terminé',
} as const satisfies Spanish<typeof bar>;

export const counterNext = {
  title: 'Listo para la siguiente persona',
  text: 'Este dispositivo es de todos. No guarda nada de la última visita.',
  start: 'Empezar',
  signedOut: 'Sesión cerrada',
  nothingKept: 'No queda nada de lo que se escribió',
  standard: 'De nuevo con letra normal',
} as const satisfies Spanish<typeof next>;

export const ownDevice = {
  title: 'No en un dispositivo compartido',
  text: 'Haga esto en su propio dispositivo. Aquí también podría hacerlo otra persona.',
  back: 'Volver a Mi cuenta',
} as const satisfies Spanish<typeof own>;

export const sharedDevice = {
  title: 'Dispositivo compartido',
  onLead: 'Para la recepción: aquí entran muchas personas, una tras otra.',
  keepsNothing: 'No guarda nada de ellas.',
  clears: 'Se borra solo si nadie lo toca en 5 minutos, y a los 30 en total.',
  signsOut: 'Su sesión se cierra aquí ahora.',
  name: 'Nombre de este dispositivo',
  nameHint: 'Por ejemplo: Recepción',
  on: 'Usar como dispositivo compartido',
  offLead: 'Este navegador es ahora un dispositivo compartido.',
  off: 'Dejar de compartirlo',
} as const satisfies Spanish<typeof english>;
