import type { browser as english } from '../en/browser.ts';
import type { Spanish } from './spanish.ts';

export const browser = {
  title: 'Pruebe su navegador',
  lead: 'Aquí comprobamos lo que necesita para entrar. No cambia nada.',
  checking: 'Comprobamos su navegador…',
  allGood: 'Su navegador está bien.',
  someBad: 'Hay algo que cambiar. El primer recuadro le dice qué.',
  someUnknown: 'No pudimos comprobarlo todo.',
  again: 'Intentar de nuevo',
  checks: {
    script: {
      name: 'JavaScript',
      good: 'JavaScript está activo.',
      bad: 'JavaScript no está activo. Actívelo en la configuración de su navegador. Luego cargue de nuevo esta página.',
    },
    cookies: {
      name: 'Cookies',
      good: 'Las cookies funcionan.',
      bad: 'Las cookies no funcionan. Vaya a la configuración de su navegador. Permita las cookies de este sitio.',
    },
    storage: {
      name: 'Almacenamiento',
      good: 'Su navegador puede guardar cosas de este sitio.',
      bad: 'Su navegador no guarda nada de este sitio. Permita que guarde datos o salga del modo privado.',
    },
    crypto: {
      name: 'Prueba de seguridad',
      good: 'Su navegador pasa la prueba de seguridad.',
      bad: 'Su navegador es muy viejo para esta prueba. Actualícelo o use otro.',
    },
    clock: {
      name: 'Reloj',
      good: 'Su reloj va bien.',
      bad: 'Abra la configuración de su dispositivo. Ponga la hora en automático.',
    },
  },
  unreachable: 'No pudimos llegar a nuestro servidor. Revise su conexión y inténtelo de nuevo.',
  ahead: 'Su reloj está adelantado {span}.',
  behind: 'Su reloj está atrasado {span}.',
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
