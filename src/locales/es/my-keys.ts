import type { myKeys as english } from '../en/my-keys.ts';
import type { Spanish } from './spanish.ts';

export const myKeys = {
  title: 'Sus llaves guardadas',
  row: 'Llaves guardadas',
  rowNone: 'Ninguna. Puede guardar una en este aparato.',
  rowSome: { one: '{count} llave', many: '{count} llaves', other: '{count} llaves' },
  lead: 'Entre como desbloquea su aparato: con su cara, su dedo o su clave.',
  none: 'No tiene ninguna llave. Entra con su contraseña y un código.',
  off: 'Las llaves no funcionan aquí. Entra con su contraseña y un código.',
  added: 'Añadida: {ago}.',
  used: 'Usada: {ago}.',
  unused: 'Sin usar todavía.',
  synced: 'Sirve también en sus otros aparatos del mismo tipo.',
  needsCode: 'Pide una vez su contraseña y un código.',
  otherAddress: 'Hecha para {domain}. Aquí no sirve.',
  remove: 'Quitar',
  removed: 'La llave está quitada. Ya no abre su cuenta.',
  needsScript: 'Aquí se guarda una llave solo con JavaScript. Lo demás va sin él.',
  deviceCannot:
    'Este aparato no puede guardar una llave. Su contraseña y su código siguen sirviendo.',
  stepUp: 'Antes de guardar o quitar una llave, muestre que es usted. Basta un código.',
  sharedText: 'Entonces no guarde aquí una llave. Quien lo desbloquee podría abrir su cuenta.',
} as const satisfies Spanish<typeof english>;
