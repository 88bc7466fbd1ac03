import type { privacy as english } from '../en/privacy.ts';
import type { Spanish } from './spanish.ts';

export const privacy = {
  title: 'Su navegador no le deja entrar',
  why: 'Lo que escribió estaba bien. Pero su navegador no deja que esta página vea su sesión.',
  after: 'Después puede dejarlo como estaba.',
  hide: 'Ocultar',
  steps: {
    1: [
      'Abra el menú Safari. Elija Configuración (o Ajustes).',
      'Elija Privacidad.',
      'Quite la marca de «Impedir seguimiento entre sitios».',
      'Vuelva aquí y presione Intentar de nuevo.',
    ],
    2: [
      'Presione el icono a la izquierda de la dirección.',
      'Elija Cookies.',
      'Permita las cookies de este sitio.',
      'Presione Intentar de nuevo.',
    ],
    3: [
      'Abra Configuración (o Ajustes). Elija Apps y luego Safari.',
      'Desactive «Impedir seguimiento entre sitios».',
      'Vuelva aquí y presione Intentar de nuevo.',
    ],
    4: [
      'Abra la configuración. Busque Privacidad o Cookies.',
      'Permita las cookies de este sitio, o pruebe con Chrome, Edge, Firefox o Safari.',
      'Vuelva aquí y presione Intentar de nuevo.',
    ],
  },
} as const satisfies Spanish<typeof english>;
