import type { keyOffer as english } from '../en/key-offer.ts';
import type { Spanish } from './spanish.ts';

export const keyOffer = {
  offerTitle: 'La próxima vez, más rápido',
  offerLead: 'Con su cara, su dedo o su PIN: igual que desbloquea este dispositivo.',
  offerShared: 'Entonces elija «Ahora no». Quien lo desbloquee podría abrir su cuenta.',
  notNow: 'Ahora no',
  goOn: 'Continuar',
  offerSaved: 'Su llave está guardada',
  offerNext: 'La próxima vez, desbloquee este dispositivo y listo.',
} as const satisfies Spanish<typeof english>;
