import type { notices as english } from '../en/notices.ts';
import type { Spanish } from './spanish.ts';

export const notices = {
  label: 'Avisos',
  close: 'Cerrar',
} as const satisfies Spanish<typeof english>;
