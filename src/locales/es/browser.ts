import type { browser as english } from '../en/browser.ts';
import type { Spanish } from './spanish.ts';

export const browser = {
  title: 'Pruebe su navegador',
  lead: 'Esta página mira lo que hace falta para entrar. No cambia nada.',
  checking: 'Miramos su navegador…',
  allGood: 'Su navegador está bien.',
  someBad: 'Hay algo que cambiar. La primera caja le dice qué.',
  someUnknown: 'No pudimos mirarlo todo.',
  again: 'Probar otra vez',
  checks: {
    script: {
      name: 'JavaScript',
      good: 'JavaScript está activo.',
      bad: 'JavaScript no está activo. Actívelo en los ajustes de su navegador. Luego cargue esta página otra vez.',
    },
    cookies: {
      name: 'Cookies',
      good: 'Las cookies funcionan.',
      bad: 'Las cookies no pasan. Deje que este sitio las use, en los ajustes de su navegador.',
    },
    storage: {
      name: 'Memoria',
      good: 'Su navegador puede guardar cosas de este sitio.',
      bad: 'Su navegador no guarda nada de este sitio. Deje que guarde datos o salga del modo privado.',
    },
    crypto: {
      name: 'Nuestra prueba',
      good: 'Su navegador pasa nuestra prueba.',
      bad: 'Su navegador es muy viejo para nuestra prueba. Póngalo al día o use otro.',
    },
    clock: {
      name: 'Reloj',
      good: 'Su reloj va bien.',
      bad: 'Ponga la fecha y la hora en automático en los ajustes de su aparato.',
    },
  },
  unreachable: 'No pudimos llegar a nuestro servidor. Mire su conexión y pruebe otra vez.',
  ahead: 'Su reloj va {span} por delante del nuestro.',
  behind: 'Su reloj va {span} por detrás del nuestro.',
  verdicts: { good: 'bien', bad: 'hay que cambiarlo', unknown: 'no se sabe' },
  works: 'funciona',
  toSignIn: 'Volver a la entrada',
  panelTitle: 'Cada luz es algo que funciona.',
  summaryTitle: 'Ver lo que vemos',
  summaryText: 'Copie estas líneas cuando nos escriba. No llevan nada secreto.',
  copy: 'Copiar',
  copied: 'Copiado.',
  marked: 'Las líneas están marcadas. Cópielas ahora.',
  line: '{name}: {value}',
  device: 'Navegador',
  size: 'Ventana',
} as const satisfies Spanish<typeof english>;
