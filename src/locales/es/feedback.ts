import type { feedback as english } from '../en/feedback.ts';
import type { Spanish } from './spanish.ts';

export const feedback = {
  first: 'Letra más grande, botones más claros y una sola puerta para todo lo que usa.',
  firstName: 'Nuestro equipo de diseño',
  second: 'Inicié sesión sin ayuda. La letra es grande y tuve todo el tiempo que quise.',
  secondName: 'Ruth, 81 años',
  third: 'El código llegó por mensaje y por correo. Lo escribí y la puerta se abrió.',
  thirdName: 'Samuel, 77 años',
} as const satisfies Spanish<typeof english>;
