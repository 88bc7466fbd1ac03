import type { browser as english } from '../en/browser.ts';
import type { Spanish } from './spanish.ts';

export const browser = {
  title: 'Pruebe su navegador',
  lead: 'Esta página comprueba lo que hace falta para entrar. No cambia nada.',
  checking: 'Comprobamos su navegador…',
  allGood: 'Su navegador está bien.',
  someBad: 'Hay algo que cambiar. El primer recuadro le dice qué.',
  someUnknown: 'No pudimos comprobarlo todo.',
  again: 'Intentar de nuevo',
  checks: {
    script: {
      name: 'JavaScript',
      good: 'JavaScript está activo.',
      bad: 'JavaScript no está activo. Actívelo en los ajustes de su navegador. Luego cargue de nuevo esta página.',
    },
    cookies: {
      name: 'Cookies',
      good: 'Las cookies funcionan.',
      bad: 'Las cookies no funcionan. Permita que este sitio las use en los ajustes de su navegador.',
    },
    storage: {
      name: 'Almacenamiento',
      good: 'Su navegador puede guardar cosas de este sitio.',
      bad: 'Su navegador no guarda nada de este sitio. Permita que guarde datos o salga del modo privado.',
    },
    crypto: {
      name: 'Nuestra prueba',
      good: 'Su navegador pasa nuestra prueba.',
      bad: 'Su navegador es muy viejo para nuestra prueba. Actualícelo o use otro.',
    },
    clock: {
      name: 'Reloj',
      good: 'Su reloj va bien.',
      bad: 'Ponga la fecha y la hora en automático en los ajustes de su dispositivo.',
    },
  },
  unreachable: 'No pudimos llegar a nuestro servidor. Revise su conexión y inténtelo de nuevo.',
  ahead: 'Su reloj va {span} por delante del nuestro.',
  behind: 'Su reloj va {span} por detrás del nuestro.',
  verdicts: { good: 'bien', bad: 'hay que cambiarlo', unknown: 'no se sabe' },
  works: 'funciona',
  toSignIn: 'Volver a iniciar sesión',
  panelTitle: 'Cada luz es algo que funciona.',
  summaryTitle: 'Ver lo que vemos',
  summaryText: 'Copie estas líneas cuando nos escriba. No contienen nada secreto.',
  copy: 'Copiar',
  copied: 'Copiado.',
  marked: 'Las líneas están seleccionadas. Cópielas ahora.',
  line: '{name}: {value}',
  device: 'Navegador',
  size: 'Ventana',
} as const satisfies Spanish<typeof english>;
