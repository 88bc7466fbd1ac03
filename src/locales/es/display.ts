import type { display as english } from '../en/display.ts';
import type { Spanish } from './spanish.ts';

export const display = {
  panel: 'Opciones de pantalla',
  language: 'Idioma / Language',
  colors: 'Colores',
  device: 'Como en mi dispositivo',
  light: 'Claro',
  dark: 'Oscuro',
  read: 'Leerme esta página',
  readStop: 'Dejar de leer',
  untimed: 'Sin prisa',
  untimedHint: 'Los mensajes y dibujos no se mueven, y la página no avanza sola.',
} as const satisfies Spanish<typeof english>;
