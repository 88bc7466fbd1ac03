import type { noScript as english } from '../en/no-script.ts';
import type { Spanish } from './spanish.ts';

export const noScript = {
  signOut: 'Cerrar sesión',
  contact: 'También puede llamarnos o escribirnos: {phone}, {email}',
} as const satisfies Spanish<typeof english>;
