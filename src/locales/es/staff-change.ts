import type { staffChange as english } from '../en/staff-change.ts';
import type { Spanish } from './spanish.ts';

export const staffChange = {
  title: '¿Es correcto este cambio?',
  what: {
    email: 'Usted nos pidió usar este correo en su cuenta: {to}',
    phone: 'Usted nos pidió usar este teléfono en su cuenta: {to}',
    key: 'Usted nos pidió quitar una llave de acceso de su cuenta.',
    appCode:
      'Usted nos pidió quitar el código de su app. Los códigos llegarán de nuevo por correo.',
  },
  yes: 'Sí, cambiarlo ahora',
  password:
    'Escriba la contraseña de su cuenta. El cambio se hará tres días después. Hasta entonces puede detenerlo desde cada contacto.',
  passwordLabel: 'Contraseña',
  passwordButton: 'Cambiarlo en tres días',
  byPhone: 'Con un código sabemos que es usted. Podemos enviarlo a su {phone}',
  byKey: '¿Tiene una llave de acceso o códigos de una app? Entonces el cambio se hace enseguida.',
  byKeyLink: 'Inicie sesión con eso y abra de nuevo este enlace.',
  forgotten:
    '¿No le sirve nada de esto? Entonces presione «Este correo es mío». Otra persona lo revisa. El cambio se hace tres días después.',
  mailbox: 'Este correo es mío',
  waits: 'Gracias. Otra persona lo revisa ahora. El cambio se hace tres días después.',
  stopTitle: '¿Detener este cambio?',
  stopLead: 'Nos pidieron cambiar su forma de entrar. Presione el botón, y no cambia nada.',
  stop: 'Detener el cambio',
  stopByPassword:
    'Ya se detuvo una vez, y una persona lo pidió de nuevo en nuestro mostrador. Para detenerlo, escriba su contraseña.',
  stopByKey: '¿Tiene una llave de acceso o códigos de una app?',
  no: '¿No lo pidió usted? Entonces no presione nada y llámenos.',
  begunTitle: 'El cambio se hará en tres días',
  begun:
    'Avisamos a cada uno de sus contactos. ¿No lo pidió usted? Entonces presione allí el enlace o llámenos.',
  changedTitle: 'El cambio está hecho',
  changed: 'Le avisamos por correo. Ya puede entrar.',
  stoppedTitle: 'No cambió nada',
  stopped: 'El cambio se detuvo. ¿Lo pidió otra persona? Entonces llámenos, por favor.',
  over: 'Este enlace ya no sirve',
  overText: 'Ya se usó, o se acabó su tiempo. Por favor, llámenos.',
} as const satisfies Spanish<typeof english>;
