import type { units as english } from '../en/units.ts';
import type { Spanish } from './spanish.ts';

export const units = {
  second: { one: '{count} segundo', many: '{count} de segundos', other: '{count} segundos' },
  minute: { one: '{count} minuto', many: '{count} de minutos', other: '{count} minutos' },
  hour: { one: '{count} hora', many: '{count} de horas', other: '{count} horas' },
  day: { one: '{count} día', many: '{count} de días', other: '{count} días' },
} as const satisfies Spanish<typeof english>;
