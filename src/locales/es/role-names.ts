import type { roleNames as english } from '../en/role-names.ts';
import type { Spanish } from './spanish.ts';

export const roleNames = {
  1: 'Miembro',
  2: 'Visita',
  3: 'Personal',
  4: 'Administración',
  5: 'Agente',
  6: 'Recepción de eventos',
  7: 'Contacto de la persona que cuida',
  8: 'Contacto de emergencia',
  9: 'Titular del hogar',
  10: 'Personal de admisión',
  11: 'Administración de zona',
  13: 'Personal legal',
  14: 'Asistente legal',
  15: 'Personal de pagos',
  16: 'Recepción móvil',
  17: 'Administración de socios',
  18: 'Miembro de la academia',
  20: 'Programas especiales',
  21: 'Formularios nuevos',
  22: 'Archivado',
} as const satisfies Spanish<typeof english>;
