import type { flow as english } from '../en/flow.ts';
import type { Spanish } from './spanish.ts';

export const flow = {
  over: 'Esa página ya no está abierta. Por favor, empiece de nuevo. Su correo sigue aquí.',
} as const satisfies Spanish<typeof english>;
