import type { lamp as english } from '../en/lamp.ts';
import type { Spanish } from './spanish.ts';

export const lamp = {
  button: 'Ayuda',
  close: 'Cerrar',
  open: 'Contesta una persona',
  shut: 'Ahora está cerrado',
  never: 'Nunca le pedimos su contraseña ni su código.',
  print: 'Imprimir esta página',
  write: 'Escríbanos',
  call: 'Llámenos',
  guide: 'Imprimir cómo entrar',
  before: 'Antes de llamar',
  ready: 'Tenga a mano su correo.',
  panelLit: 'La lámpara está encendida. Hay alguien para atenderle.',
  panelOut: 'La lámpara está apagada. Ahora está cerrado.',
  panelText: 'La lámpara está arriba en cada página. Presiónela y verá nuestro número.',
} as const satisfies Spanish<typeof english>;
