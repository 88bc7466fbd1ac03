import type { shell as english } from '../en/shell.ts';
import type { Spanish } from './spanish.ts';

export const shell = {
  skip: 'Ir al contenido',
  unknownLogo: 'Logotipo de la organización',
  productName: 'Porchlight',
  poweredBy: 'Con la tecnología de',
  helpLead: '¿Necesita ayuda?',
  helpLink: 'Llámenos o escríbanos',

  textSize: {
    label: 'Tamaño de letra',
    standard: 'Letra normal',
    large: 'Letra grande',
    largest: 'Letra muy grande',
  },

  display: {
    button: 'Pantalla',
  },

  banner: {
    label: 'Noticias',
    carousel: 'carrusel',
    slide: 'imagen',
    title: 'Buenas noticias: conozca nuestro nuevo diseño',
    slides: [
      'Arriba, en AA, elija una letra más grande.',
      'Arriba, en AA, elija colores oscuros.',
      'Active «Sin prisa» y tómese el tiempo que quiera.',
    ],
    position: '{n} de {total}',
    show: 'Ver la imagen {n}',
    pause: 'Pausar',
    play: 'Reanudar',
  },
} as const satisfies Spanish<typeof english>;
