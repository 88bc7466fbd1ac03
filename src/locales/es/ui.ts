import type { ui as english } from '../en/ui.ts';
import type { Spanish } from './spanish.ts';

export const ui = {
  required: '* Campo obligatorio',
  step: 'Paso {n} de 2',
  optional: '(opcional)',
  errorTitlePrefix: 'Error: ',
  problemTitle: 'Hay un problema',
  offline: 'Parece que no tiene conexión. Lo que escribió sigue aquí.',
  backOnline: 'Ya tiene conexión otra vez.',
  goOn: 'Continuar',
  tryAgain: 'Intentar de nuevo',
  forgotPassword: '¿Olvidó su contraseña?',
  checkBrowser: '¿Funciona bien mi navegador?',
  problemsTitle: 'Hay {count} problemas',
  stillWorking: 'Seguimos trabajando. Por favor, deje abierta esta página.',
  pressIt: 'Si no pasa nada, presione {label}.',
  late: 'Esto tarda más de lo normal.',
  lateHow: 'No perdió nada. Presione {label}.',
  lateAgain: 'Por favor, vuelva a cargar esta página.',

  password: {
    show: 'Mostrar',
    hide: 'Ocultar',
    showLabel: 'Mostrar: {field}',
    hideLabel: 'Ocultar: {field}',
    nowVisible: 'Su contraseña se ve',
    nowHidden: 'Su contraseña está oculta',
    space:
      'Lo que escribió empieza o termina con un espacio. Quítelo si no es parte de su contraseña.',
  },
} as const satisfies Spanish<typeof english>;
