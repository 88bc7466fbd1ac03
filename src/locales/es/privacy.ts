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
      'Vuelva aquí y pulse Probar otra vez.',
    ],
    2: [
      'Pulse el dibujo a la izquierda de la dirección.',
      'Elija Cookies.',
      'Permita las cookies de este sitio.',
      'Pulse Probar otra vez.',
    ],
    3: [
      'Abra Ajustes y elija Apps y luego Safari.',
      'Apague «Impedir seguimiento entre sitios».',
      'Vuelva aquí y pulse Probar otra vez.',
    ],
    4: [
      'Abra los ajustes de su navegador y busque Privacidad o Cookies.',
      'Permita las cookies de este sitio, o pruebe con Chrome, Edge, Firefox o Safari.',
      'Vuelva aquí y pulse Probar otra vez.',
    ],
  },
} as const satisfies Spanish<typeof english>;
