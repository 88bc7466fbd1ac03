import type { plainPages as english } from '../en/plain-pages.ts';
import type { Spanish } from './spanish.ts';

export const plainPages = {
  brokenTitle: 'Algo salió mal de nuestro lado',
  brokenText:
    'Por favor, inténtelo de nuevo. Si vuelve a pasar, díganos esta referencia: {reference}',
  awayTitle: 'Volvemos en un momento',
  awayText:
    'El servicio no funciona ahora. No perdió nada de lo que envió antes. Por favor, inténtelo de nuevo en un minuto.',
  crowdedTitle: 'Hay mucha gente aquí ahora',
  crowdedText:
    'Espere un minuto. Presione «Intentar de nuevo». Si acaba de enviar sus datos, vuelva atrás y envíelos de nuevo.',
  refusedTitle: 'Por favor, inténtelo una vez más',
  refusedText: 'No pudimos aceptar este envío. Abra la página de nuevo y envíelo desde allí.',
  callUs: '¿Necesita ayuda? Llame al {phone} o escriba a {email}',
  leavingTitle: 'Ya está dentro',
  leavingText: 'Su app se abrirá en un momento.',
  leavingGoOn: 'Continuar',
  noScript:
    'Para entrar aquí se necesita JavaScript. Por favor, actívelo y cargue de nuevo esta página. O use otro navegador. También puede llamarnos o escribirnos:',
} as const satisfies Spanish<typeof english>;
