import type { organisationRow as english } from '../en/organisation-row.ts';
import type { Spanish } from './spanish.ts';

export const organisationRow = {
  title: 'Acceso de {label}',
  none: 'Sin unir. Un paso menos cada día.',
  linked: 'Unido',
  as: 'como {name}',
  link: 'Unir',
} as const satisfies Spanish<typeof english>;
