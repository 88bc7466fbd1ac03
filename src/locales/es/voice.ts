import type { voice as english } from '../en/voice.ts';
import type { Spanish } from './spanish.ts';

export const voice = {
  hello: 'Hola. Le llama {name}. Usted nos pidió su código por teléfono.',
  ask: 'Para oír su código, presione el 1.',
  notYou: 'Si no pidió esta llamada, por favor cuelgue.',
  code: 'Su código es:',
  again: 'Otra vez:',
  warning: 'Nunca le pediremos este código.',
  over: 'Este código ya no sirve. Por favor, pida otro.',
  goodbye: 'Adiós.',
} as const satisfies Spanish<typeof english>;
