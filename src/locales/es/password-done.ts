import type { passwordDone as english } from '../en/password-done.ts';
import type { Spanish } from './spanish.ts';

export const passwordDone = {
  resetDoneTitle: 'Contraseña cambiada',
  setDoneTitle: 'Contraseña creada',
  changed: 'Su contraseña cambió',
  created: 'Su contraseña está creada',
  backToSignIn: 'Volver a iniciar sesión',
  onTo: 'Continuar a {client}',
  goBackTo: 'Ya puede volver a {client} e iniciar sesión allí con su contraseña nueva.',
} as const satisfies Spanish<typeof english>;
