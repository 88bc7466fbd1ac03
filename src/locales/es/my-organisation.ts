import type { myOrganisation as english } from '../en/my-organisation.ts';
import type { Spanish } from './spanish.ts';

export const myOrganisation = {
  title: 'El acceso de su trabajo',
  lead: 'Entre aquí como entra en su trabajo.',
  stepUp: 'Primero muéstrenos que es usted. Basta un código.',
  goThere: 'Ir al acceso de {label}',
  comeBack: 'Usted entra allí, vuelve y dice que sí. Antes no se une nada.',
  ask: 'Allí usted es {there}, y aquí {here}. ¿Unir los dos?',
  yes: 'Sí, unirlos',
  no: 'Esa persona no soy yo',
  linkedAs: 'Unido como {name}',
  stays: 'Su contraseña y su código siguen sirviendo.',
  unlink: 'Separarlo',
  handOver: {
    asked:
      '{label} quiere llevar su cuenta. Entonces usted entra solo allí. Su contraseña y sus llaves se borran.',
    agreed: 'Usted dijo que sí. Pronto {label} llevará su cuenta.',
  },
  agree: 'Sí, {label} puede llevarla',
  kept: '{label} mantiene este enlace. Para quitarlo, pregunte allí.',
} as const satisfies Spanish<typeof english>;
