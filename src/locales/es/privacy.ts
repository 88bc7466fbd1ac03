import type { privacy as english } from '../en/privacy.ts';
import type { Spanish } from './spanish.ts';

export const privacy = {
  title: 'Su navegador no le deja entrar',
  why: 'Lo que escribió estaba bien, pero su navegador no deja ver a esta página que usted entró.',
  after: 'Después puede dejarlo como estaba.',
  hide: 'Ocultar',
  steps: {
    1: [
      'Abra el menú Safari y elija Ajustes.',
      'Elija Privacidad.',
      'Quite la marca de «Impedir seguimiento entre sitios».',
      'Vuelva aquí y pulse Intentar de nuevo.',
    ],
    2: [
      'Pulse el icono a la izquierda de la dirección.',
      'Elija Cookies.',
      'Permita las cookies de este sitio.',
      'Pulse Intentar de nuevo.',
    ],
    3: [
      'Abra Ajustes y elija Apps y luego Safari.',
      'Desactive «Impedir seguimiento entre sitios».',
      'Vuelva aquí y pulse Intentar de nuevo.',
    ],
    4: [
      'Abra los ajustes y busque Privacidad o Cookies.',
      'Permita las cookies de este sitio, o pruebe con Chrome, Edge, Firefox o Safari.',
      'Vuelva aquí y pulse Intentar de nuevo.',
    ],
  },
} as const satisfies Spanish<typeof english>;
