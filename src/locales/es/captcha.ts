import type { captcha as english } from '../en/captcha.ts';
import type { Spanish } from './spanish.ts';

export const captcha = {
  failed: 'Nuestra prueba no funciona bien en este navegador. Por favor, use otro.',
} as const satisfies Spanish<typeof english>;
