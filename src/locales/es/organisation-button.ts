import type { organisationButton as english } from '../en/organisation-button.ts';
import type { Spanish } from './spanish.ts';

export const organisationButton = {
  button: 'Continuar con el acceso de {label}',
  or: 'o con su correo electrónico',
  orPassword: 'o elija una contraseña',
  onlyHere: '¿Trabaja para {label}? Entonces use el botón de arriba.',
} as const satisfies Spanish<typeof english>;
