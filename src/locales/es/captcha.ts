import type { captcha as english } from '../en/captcha.ts';
import type { Spanish } from './spanish.ts';

export const captcha = {
  failed: 'La prueba de seguridad no funciona aquí. Por favor, use otro navegador.',
} as const satisfies Spanish<typeof english>;
