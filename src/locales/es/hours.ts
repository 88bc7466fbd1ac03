import type { hours as english } from '../en/hours.ts';
import type { Spanish } from './spanish.ts';

export const hours = {
  openUntil: 'Abierto ahora. Cierre: {time}',
  openLong: 'Abierto ahora',
  opensToday: 'Abrimos hoy: {time}',
  opensTomorrow: 'Abrimos mañana: {time}',
  opensOn: 'Abrimos el {day}: {time}',
  day: 'El {day}, de {from} a {to}.',
  days: 'De {first} a {last}, de {from} a {to}.',
  everyDay: 'Todos los días, de {from} a {to}.',
  always: 'Todos los días, día y noche.',
  noon: 'mediodía',
  midnight: 'medianoche',
  am: '{time} a. m.',
  pm: '{time} p. m.',
} as const satisfies Spanish<typeof english>;
