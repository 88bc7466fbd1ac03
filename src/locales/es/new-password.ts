import type { newPassword as english } from '../en/new-password.ts';
import type { Spanish } from './spanish.ts';

export const newPassword = {
  passwordsMatch: 'Las contraseñas son iguales.',
  ruleLength: '8 caracteres o más',
  ruleUppercase: 'Una mayúscula',
  ruleAlphanumeric: 'Letras y números',
  ruleAlphanumericHint: 'Use minúsculas, mayúsculas y un número.',
  ruleSpecial: 'Un signo especial',
} as const satisfies Spanish<typeof english>;
