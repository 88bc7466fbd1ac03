import type { myKeys as english } from '../en/my-keys.ts';
import type { Spanish } from './spanish.ts';

export const myKeys = {
  title: 'Sus llaves de acceso',
  row: 'Llaves de acceso',
  rowNone: 'Ninguna. Puede guardar una en este dispositivo.',
  rowSome: { one: '{count} llave', many: '{count} llaves', other: '{count} llaves' },
  lead: 'Entre igual que desbloquea su dispositivo: con su cara, su dedo o su PIN.',
  none: 'No tiene ninguna llave. Usted entra con su contraseña y un código.',
  off: 'Las llaves no funcionan aquí. Usted entra con su contraseña y un código.',
  added: 'Agregada: {ago}.',
  used: 'Usada: {ago}.',
  unused: 'Sin usar todavía.',
  synced: 'Sirve también en sus otros dispositivos del mismo tipo.',
  needsCode: 'Pide una vez su contraseña y un código.',
  otherAddress: 'Hecha para {domain}. Aquí no sirve.',
  remove: 'Quitar',
  removed: 'Quitamos la llave. Ya no abre su cuenta.',
  needsScript: 'Para guardar una llave se necesita JavaScript. Todo lo demás funciona sin él.',
  deviceCannot:
    'Este dispositivo no puede guardar una llave. Su contraseña y su código siguen sirviendo.',
  stepUp: 'Antes de guardar o quitar una llave, demuestre que es usted. Basta un código.',
  sharedText: 'Entonces no guarde aquí una llave. Quien lo desbloquee podría abrir su cuenta.',
} as const satisfies Spanish<typeof english>;
