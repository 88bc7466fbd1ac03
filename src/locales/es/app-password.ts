import type { appPassword as english } from '../en/app-password.ts';
import type { Spanish } from './spanish.ts';

export const appPassword = {
  appTitle: 'Esta app pide también su contraseña',
  appLead: 'Usted inició sesión con una llave de acceso. Esta app todavía pide su contraseña.',
  current: 'Su contraseña',
  open: 'Continuar',
  opening: 'Abriendo…',
  openWithout: 'Continuar sin ella',
  withoutIt: 'Sin ella, puede que la app se la pida.',
  notYours: 'Esta no es su contraseña',
  panelTitle: 'La puerta está abierta.',
  panelText: 'Esta app le pide su contraseña una vez más.',
  empty: 'Escriba su contraseña',
} as const satisfies Spanish<typeof english>;
