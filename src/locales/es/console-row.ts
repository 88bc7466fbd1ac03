import type { consoleRow as english } from '../en/console-row.ts';
import type { Spanish } from './spanish.ts';

export const consoleRow = {
  label: 'Consola',
  value: 'Su trabajo con las personas de su casa',
} as const satisfies Spanish<typeof english>;
