import type {
  accountMails as accountMailsEnglish,
  accountChanges as accountChangesEnglish,
} from '../en/account-mails.ts';
import type { Spanish } from './spanish.ts';

export const accountMails = {
  subject: '{subtenant}: {what}',
  undoText: '{press} y todo vuelve a ser como antes. Sirve hasta el {until}.',
  undoButton: 'Deshacer este cambio',
  wasYou: '¿Fue usted? Entonces no haga nada.',
  wasNotYou: 'No fui yo',
  callUs: '¿No fue usted? Llámenos ahora.',
} as const satisfies Spanish<typeof accountMailsEnglish>;

export const accountChanges = {
  nameChanged: {
    subject: 'Su nombre ha cambiado',
    text: 'En {subtenant} su nombre es ahora {name}.',
  },
  emailChanged: {
    subject: 'Su correo ha cambiado',
    text: 'Los mensajes y códigos de {subtenant} llegan ahora a {email}. Su correo de antes recibe nuestros avisos 3 días más.',
    copy: 'El correo ha cambiado.',
  },
  phoneChanged: {
    subject: 'Su número de teléfono ha cambiado',
    text: 'Los códigos de {subtenant} van ahora al teléfono que acaba en {phone}.',
    copy: 'El número de teléfono ha cambiado.',
  },
  phoneRemoved: {
    subject: 'Hemos quitado su número de teléfono',
    text: 'Los códigos de {subtenant} llegan ahora solo por correo.',
    copy: 'Se quitó el número de teléfono.',
  },
  changeUndone: {
    subject: 'Su cambio se ha deshecho',
    text: 'En {subtenant} su correo y su teléfono son otra vez los de antes. Hemos cerrado su sesión en todas partes, y la contraseña ya no sirve.',
    calm: 'Ahora elija una contraseña nueva.',
    next: 'Elegir una contraseña nueva',
    copy: 'Un cambio se ha deshecho.',
  },
  passwordChanged: {
    subject: 'Su contraseña ha cambiado',
    text: 'Su contraseña de {subtenant} ha cambiado. Hemos cerrado su sesión en todos los demás aparatos.',
    copy: 'La contraseña ha cambiado.',
  },
  sessionsEnded: {
    subject: 'Hemos cerrado su sesión en otros aparatos',
    text: 'Usted lo pidió: hemos cerrado las otras sesiones de su cuenta de {subtenant}.',
    copy: 'Se cerró la sesión en otros aparatos.',
  },
  keyAdded: {
    subject: 'Se añadió una llave guardada',
    text: 'Ya puede entrar en {subtenant} con una llave guardada en: {key}. Su contraseña y su código siguen sirviendo.',
  },
  keyRemoved: {
    subject: 'Se quitó una llave guardada',
    text: 'La llave guardada en {key} ya no abre su cuenta de {subtenant}.',
  },
  keyCopied: {
    subject: 'Se paró una llave guardada',
    text: 'La llave guardada en {key} no actuó como debía. Quizás alguien tiene una copia. Por eso no la dejamos entrar en su cuenta de {subtenant}. Quite esta llave en Mi cuenta y guarde otra.',
  },
  accountCloses: {
    subject: 'Su cuenta se cierra el {date}',
    text: 'Usted pidió a {subtenant} que cierre su cuenta. El {date} la borramos. ¿Quiere quedarse con ella? Entre antes de ese día.',
  },
  accountKept: {
    subject: 'Su cuenta sigue abierta',
    text: 'Usted quiso quedarse con su cuenta de {subtenant}. No hemos borrado nada.',
  },
  helperNamed: {
    subject: 'Usted pidió ayuda a alguien',
    text: 'Usted pidió a {email} que le ayude en {subtenant}. Cuenta desde que diga que sí.',
    copy: 'Se pidió a alguien que ayude.',
  },
  helperAdded: {
    subject: 'Ahora alguien le ayuda',
    text: '{helper} puede pedir a {subtenant} un correo, otro código o abrir su entrada. Nunca ve su contraseña ni sus códigos. Termina el {date}.',
    calm: '¿Lo pidió usted? Entonces no haga nada. Puede terminarlo en Mi cuenta cuando quiera.',
  },
  helperEnded: {
    subject: 'Una persona ya no le ayuda',
    text: 'La ayuda de {helper} en {subtenant} ha terminado.',
    copy: 'Una ayuda ha terminado.',
  },
  helperEndsSoon: {
    subject: 'La ayuda que recibe termina el {date}',
    text: '{helper} le ayuda en {subtenant}. La ayuda termina sola después de un año, el {date}. Entonces la puede pedir otra vez.',
    calm: 'Ahora no tiene que hacer nada.',
  },
  helpReset: {
    subject: 'Su ayudante pidió un correo para usted',
    text: '{helper} le ayuda. Nos pidió para usted un enlace. Con él elige otra contraseña. Le llega en otro correo.',
    calm: '¿Lo quería usted? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta.',
  },
  helpResend: {
    subject: 'Su ayudante pidió otro código para usted',
    text: '{helper} le ayuda. Nos pidió que le enviemos otra vez lo que usted espera. Cargue la página de nuevo y use el último mensaje.',
    calm: '¿Lo quería usted? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta.',
  },
  helpUnlock: {
    subject: 'Su ayudante nos pidió abrir su entrada',
    text: '{helper} le ayuda. Si su entrada se cerró tras muchas pruebas, ya está abierta.',
    calm: '¿Lo quería usted? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta.',
  },
  appCodeAdded: {
    subject: 'Ahora entra con códigos de una app',
    text: 'Desde ahora {subtenant} le pide el código de su app. Para entrar ya no le enviamos un código por correo.',
  },
  appCodeRemoved: {
    subject: 'Los códigos de su app ya no se usan',
    text: 'Desde ahora {subtenant} le manda un código por correo.',
  },
  recoveryCodesNew: {
    subject: 'Tiene códigos de reserva nuevos',
    text: 'Los de antes ya no sirven en {subtenant}. Tire esa hoja.',
  },
  recoveryCodeUsed: {
    subject: 'Se usó un código de reserva',
    text: 'Un código de reserva abrió su cuenta de {subtenant}. Le quedan {left}.',
  },
  staffChangeAsked: {
    subject: 'Nos pidieron un cambio de su cuenta',
    text: 'Nos pidieron cambiar su forma de entrar en {subtenant}. Todavía no cambió nada.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
    copy: 'Nos pidieron cambiar su forma de entrar.',
  },
  staffChangeStopped: {
    subject: 'Un cambio de su cuenta está parado',
    text: 'Se paró un cambio de su forma de entrar en {subtenant}. No cambió nada.',
    calm: '¿No lo paró usted? Entonces llámenos, por favor.',
  },
  staffChangeWaits: {
    subject: 'Un cambio de su cuenta espera',
    text: 'Nos pidieron cambiar su forma de entrar en {subtenant}. Vale a partir del {date}. Hasta entonces no se puede poner otra contraseña.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
    copy: 'Nos pidieron cambiar su forma de entrar.',
  },
  staffUnlocked: {
    subject: 'Su entrada está otra vez abierta',
    text: 'Nuestro equipo de ayuda abrió otra vez su entrada en {subtenant}. Ya puede probar.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffSignedOut: {
    subject: 'Hemos cerrado su sesión en todas partes',
    text: 'Nuestro equipo de ayuda cerró todas las sesiones de su cuenta de {subtenant}.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffSuspended: {
    subject: 'Su cuenta está desactivada',
    text: 'Nuestro equipo cerró por ahora su cuenta de {subtenant}. No puede entrar.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffResumed: {
    subject: 'Su cuenta está otra vez activa',
    text: 'Nuestro equipo de ayuda activó su cuenta de {subtenant}. Ya puede entrar otra vez.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffRoleGiven: {
    subject: 'Su cuenta ahora puede hacer más',
    text: 'Nuestro equipo de ayuda dio a su cuenta de {subtenant} la función {role}.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffRoleTaken: {
    subject: 'Su cuenta tiene una función menos',
    text: 'Nuestro equipo de ayuda quitó la función {role} de su cuenta de {subtenant}.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  addressWanted: {
    subject: 'Alguien escribió su correo',
    text: 'Alguien quiso usar su correo para otra cuenta de {subtenant}. Es de usted, así que nada cambió.',
  },
} as const satisfies Spanish<typeof accountChangesEnglish>;
