import type { passkeys as english } from '../en/passkeys.ts';
import type { Spanish } from './spanish.ts';

export const passkeys = {
  save: 'Guardar una llave aquí',
  saving: 'Esperando a su dispositivo…',
  saved: 'Guardada. La próxima vez, presione su llave.',
  stillWorks: 'Su contraseña y su código siguen sirviendo.',
  sharedTitle: '¿Usan otras personas este dispositivo?',
} as const satisfies Spanish<typeof english>;
