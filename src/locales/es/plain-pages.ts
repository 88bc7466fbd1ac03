import type { plainPages as english } from '../en/plain-pages.ts';
import type { Spanish } from './spanish.ts';

export const plainPages = {
  brokenTitle: 'Algo ha fallado por nuestra parte',
  brokenText:
    'Por favor, inténtelo de nuevo. Si vuelve a pasar, díganos esta referencia: {reference}',
  awayTitle: 'Volvemos en un momento',
  awayText:
    'El servicio no funciona ahora. No ha perdido nada de lo que envió antes. Por favor, inténtelo de nuevo en un minuto.',
  crowdedTitle: 'Hay mucha gente aquí ahora',
  crowdedText:
    'Por favor, espere un minuto y pulse «Intentar de nuevo». Si acaba de enviar sus datos, vuelva atrás y envíelos de nuevo.',
  refusedTitle: 'Por favor, inténtelo una vez más',
  refusedText: 'No pudimos aceptar este envío. Abra la página de nuevo y envíelo desde allí.',
  callUs: '¿Necesita ayuda? Llame al {phone} o escriba a {email}',
  leavingTitle: 'Ya está dentro',
  leavingText: 'Su app se abrirá en un momento.',
  leavingGoOn: 'Continuar',
  noScript:
    'Para entrar aquí hace falta JavaScript. Por favor, actívelo en su navegador y vuelva a cargar esta página, o use otro. También puede llamarnos o escribirnos:',
} as const satisfies Spanish<typeof english>;
