import type { widgets as english } from '../en/widgets.ts';
import type { Spanish } from './spanish.ts';

export const widgets = {
  checklist: {
    done: ', hecho',
    notYet: ', falta',
    allMet: 'La contraseña cumple todas las reglas.',
    someMet: 'La contraseña cumple {met} de {total} reglas. Faltan: {missing}.',
  },

  country: {
    phone: 'Número de teléfono',
    failed: 'No pudimos cargar otros países.',
    label: 'Código de país, {name}',
    search: 'Buscar país o código',
    found: { one: '{count} país', many: '{count} de países', other: '{count} países' },
    none: 'No se encontró ningún país',
    example: 'Por ejemplo {example}',
  },

  maskedEmail: '{first}, puntos, arroba {domain}',
  phoneEnding: 'teléfono que termina en {digits}',

  otp: {
    box: 'Dígito {n} de {total}',
  },

  email: {
    didYouMean: '¿Quiso decir {email}?',
    useIt: 'Sí, usar ese',
    changed: 'Cambiado a {email}',
  },
  countdown: {
    ranOut: 'Este código ya no sirve. Pida otro.',
    resend: 'Enviar otro código',
    moreTime: 'Necesito más tiempo',
    secondsLeft: 'Quedan {seconds} segundos para usar este código',
  },

  progress: {
    waiting: 'en espera',
    active: 'en curso',
    done: 'hecho',
    failed: 'falló',
  },
} as const satisfies Spanish<typeof english>;
