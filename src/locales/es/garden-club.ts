import type { gardenClub as english } from '../en/garden-club.ts';
import type { Spanish } from './spanish.ts';

export const gardenClub = {
  lead: 'Semillas, tierra y buena compañía. Nos vemos detrás del invernadero, con sol o con lluvia.',
  refused: 'No ha iniciado sesión. No sabemos nada de usted.',
  signIn: 'Entrar con Porchlight',
  asks: 'Porchlight le pregunta antes de decirnos quién es. Nunca vemos su contraseña.',
  welcome: 'Hola, {name}',
  bed: 'La huerta 14 es suya, junto al peral. Ya salen las habas.',
  letter: 'Nuestro boletín del lunes llega a {email}',
  signOut: 'Cerrar sesión',
  developers: 'Para quienes programan',
  thisWeek: 'Esta semana',
  news: [
    [
      'Sábado, a las 10',
      'Cambio de semillas',
      'En el invernadero. Traiga lo que tiene y tome lo que quiera.',
    ],
    ['Domingo, a las 2', 'Paseo entre rosas', 'Ida nos dice cómo se podan. Traiga sus guantes.'],
    [
      'Toda la semana',
      'Plante su ajo',
      'Meta cada diente a cinco centímetros. La punta va hacia arriba. Hágalo antes del frío.',
    ],
  ],
} as const satisfies Spanish<typeof english>;
