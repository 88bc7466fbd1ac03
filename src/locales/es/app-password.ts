import type { appPassword as english } from '../en/app-password.ts';
import type { Spanish } from './spanish.ts';

export const appPassword = {
  appTitle: 'Esta app pide también su contraseña',
  appLead: 'Usted entró con su llave guardada, que no conoce su contraseña.',
  current: 'Su contraseña',
  open: 'Seguir',
  opening: 'Abriendo …',
  openWithout: 'Seguir sin ella',
  withoutIt: 'Sin ella, puede que la app se la pida.',
  notYours: 'Esta no es su contraseña',
  panelTitle: 'La puerta está abierta.',
  panelText: 'Detrás, esta app tiene su propia cerradura.',
  empty: 'Escriba su contraseña',
} as const satisfies Spanish<typeof english>;
