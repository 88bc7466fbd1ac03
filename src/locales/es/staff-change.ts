import type { staffChange as english } from '../en/staff-change.ts';
import type { Spanish } from './spanish.ts';

export const staffChange = {
  title: '¿Es correcto este cambio?',
  what: {
    email: 'Usted pidió a nuestra ayuda usar este correo en su cuenta: {to}',
    phone: 'Usted pidió a nuestra ayuda usar este teléfono en su cuenta: {to}',
    key: 'Usted pidió a nuestra ayuda quitar una llave guardada de su cuenta.',
    appCode:
      'Usted pidió a nuestra ayuda quitar el código de su app. Los códigos llegan otra vez por correo.',
  },
  yes: 'Sí, cambiarlo ahora',
  password:
    'Escriba la contraseña de su cuenta. El cambio será válido tres días después. Hasta entonces se puede parar desde cada uno de sus contactos.',
  passwordLabel: 'Contraseña',
  passwordButton: 'Cambiarlo en tres días',
  byPhone:
    'Podemos enviar un código a su teléfono que termina en {phone}. Así sabemos que es usted.',
  byKey: '¿Tiene una llave guardada o códigos de una app? Entonces será válido enseguida.',
  byKeyLink: 'Entre con ella y abra otra vez este enlace.',
  forgotten:
    '¿No le sirve nada de esto? Entonces díganos que este correo es suyo. Otra persona de nuestra ayuda lo mira, y vale tres días después.',
  mailbox: 'Este correo es mío',
  waits: 'Gracias. Otra persona de nuestra ayuda lo mira ahora. Tres días después, vale.',
  stopTitle: '¿Parar este cambio?',
  stopLead: 'Nos pidieron cambiar su forma de entrar. Pulse el botón, y no cambia nada.',
  stop: 'Parar el cambio',
  stopByPassword:
    'Ya se paró una vez, y una persona lo pidió de nuevo en nuestro mostrador. Por eso, para pararlo escriba la contraseña de su cuenta.',
  stopByKey: '¿Tiene una llave guardada o códigos de una app?',
  no: '¿No lo pidió usted? Entonces no pulse nada y llámenos.',
  begunTitle: 'El cambio será válido en tres días',
  begun:
    'Avisamos a cada uno de sus contactos. ¿No lo pidió usted? Entonces pulse el enlace de ese correo o llámenos.',
  changedTitle: 'El cambio ya vale',
  changed: 'Se lo dijimos por correo. Ya puede entrar.',
  stoppedTitle: 'No cambió nada',
  stopped: 'El cambio está parado. ¿Lo pidió otra persona? Entonces llámenos, por favor.',
  over: 'Este enlace ya no sirve',
  overText: 'Ya se usó, o se acabó su tiempo. Por favor, llámenos.',
} as const satisfies Spanish<typeof english>;
