import type {
  accountMails as accountMailsEnglish,
  accountChanges as accountChangesEnglish,
} from '../en/account-mails.ts';
import type { Spanish } from './spanish.ts';

export const accountMails = {
  subject: '{subtenant}: {what}',
  undoText: '{press} y todo vuelve a ser como antes. Puede hacerlo hasta el {until}.',
  undoButton: 'Deshacer este cambio',
  wasYou: '¿Fue usted? Entonces no haga nada.',
  wasNotYou: 'No fui yo',
  callUs: '¿No fue usted? Llámenos ahora.',
} as const satisfies Spanish<typeof accountMailsEnglish>;

export const accountChanges = {
  nameChanged: {
    subject: 'Su nombre cambió',
    text: 'En {subtenant} su nombre es ahora {name}.',
  },
  emailChanged: {
    subject: 'Su correo cambió',
    text: 'Avisamos al correo anterior 3 días más. Los mensajes y códigos de {subtenant} llegan ahora a {email}',
    copy: 'El correo cambió.',
  },
  phoneChanged: {
    subject: 'Su número de teléfono cambió',
    text: 'Los códigos de {subtenant} llegan ahora al teléfono que termina en {phone}',
    copy: 'El número de teléfono cambió.',
  },
  phoneRemoved: {
    subject: 'Quitamos su número de teléfono',
    text: 'Los códigos de {subtenant} llegan ahora solo por correo.',
    copy: 'Se quitó el número de teléfono.',
  },
  changeUndone: {
    subject: 'Su cambio se deshizo',
    text: 'En {subtenant} su correo y su teléfono son otra vez los anteriores. Cerramos su sesión en todas partes, y la contraseña ya no sirve.',
    calm: 'Ahora elija una contraseña nueva.',
    next: 'Elegir una contraseña nueva',
    copy: 'Se deshizo un cambio.',
  },
  passwordChanged: {
    subject: 'Su contraseña cambió',
    text: 'Su contraseña de {subtenant} cambió. Cerramos las demás sesiones.',
    copy: 'La contraseña cambió.',
  },
  sessionsEnded: {
    subject: 'Cerramos su sesión en otros dispositivos',
    text: 'Usted lo pidió: cerramos las otras sesiones de su cuenta de {subtenant}.',
    copy: 'Se cerró la sesión en otros dispositivos.',
  },
  organisationLinked: {
    subject: 'Ya puede entrar con el acceso de {label}',
    text: 'Ya puede entrar en {subtenant} con el acceso de {label}. Su contraseña y su código siguen sirviendo.',
  },
  organisationUnlinked: {
    subject: 'Ya no entra con el acceso de {label}',
    text: 'El acceso de {label} ya no abre su cuenta de {subtenant}.',
  },
  keyAdded: {
    subject: 'Se agregó una llave de acceso',
    text: 'Ya puede entrar en {subtenant} con una llave de acceso en: {key}. Su contraseña y su código siguen sirviendo.',
  },
  keyRemoved: {
    subject: 'Se quitó una llave de acceso',
    text: 'La llave de acceso en {key} ya no abre su cuenta de {subtenant}.',
  },
  keyCopied: {
    subject: 'Bloqueamos una llave de acceso',
    text: 'La llave de acceso en {key} no funcionó como debía. Quizás alguien tiene una copia. Por eso ya no abre su cuenta de {subtenant}. Quite esta llave en Mi cuenta y guarde otra.',
  },
  accountCloses: {
    subject: 'Su cuenta se cierra el {date}',
    text: 'Usted pidió a {subtenant} que cierre su cuenta. El {date} la borramos. ¿Quiere conservarla? Inicie sesión antes de ese día.',
  },
  accountKept: {
    subject: 'Su cuenta sigue abierta',
    text: 'Usted decidió conservar su cuenta de {subtenant}. No borramos nada.',
  },
  helperNamed: {
    subject: 'Usted pidió ayuda a alguien',
    text: 'Usted pidió a {email} que le ayude en {subtenant}. La ayuda empieza cuando esa persona acepte.',
    copy: 'Se pidió ayuda a otra persona.',
  },
  helperAdded: {
    subject: 'Ahora alguien le ayuda',
    text: '{helper} puede pedir a {subtenant} un correo u otro código, o que abra su cuenta bloqueada. Nunca ve su contraseña ni sus códigos. La ayuda termina el {date}.',
    calm: '¿Lo pidió usted? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta cuando quiera.',
  },
  helperEnded: {
    subject: 'Una persona ya no le ayuda',
    text: 'La ayuda de {helper} en {subtenant} terminó.',
    copy: 'Una ayuda terminó.',
  },
  helperEndsSoon: {
    subject: 'La ayuda que recibe termina el {date}',
    text: '{helper} le ayuda en {subtenant}. La ayuda termina sola después de un año, el {date}. Después puede pedirla de nuevo.',
    calm: 'Ahora no tiene que hacer nada.',
  },
  helpReset: {
    subject: 'Quien le ayuda pidió un correo para usted',
    text: '{helper} le ayuda. Nos pidió un enlace para usted. Con él elige otra contraseña. Le llegará en otro correo.',
    calm: '¿Usted lo quería? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta.',
  },
  helpResend: {
    subject: 'Quien le ayuda pidió otro código para usted',
    text: '{helper} le ayuda. Nos pidió que le enviemos otra vez lo que usted espera. Vuelva a cargar la página y use el último mensaje.',
    calm: '¿Usted lo quería? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta.',
  },
  helpUnlock: {
    subject: 'Quien le ayuda nos pidió desbloquear su cuenta',
    text: '{helper} le ayuda. Si su cuenta se bloqueó tras muchos intentos, ya puede volver a entrar.',
    calm: '¿Usted lo quería? Entonces no haga nada. Puede terminar esta ayuda en Mi cuenta.',
  },
  appCodeAdded: {
    subject: 'Ahora entra con códigos de una app',
    text: 'Desde ahora {subtenant} le pide el código de su app. Para entrar ya no le enviamos un código por correo.',
  },
  appCodeRemoved: {
    subject: 'Los códigos de su app ya no se usan',
    text: 'Ahora {subtenant} le envía un código por correo.',
  },
  recoveryCodesNew: {
    subject: 'Tiene códigos de recuperación nuevos',
    text: 'Los anteriores ya no sirven en {subtenant}. Tire esa hoja.',
  },
  recoveryCodeUsed: {
    subject: 'Se usó un código de recuperación',
    text: 'Un código de recuperación abrió su cuenta de {subtenant}. Le quedan {left}.',
  },
  staffChangeAsked: {
    subject: 'Nos pidieron un cambio de su cuenta',
    text: 'Nos pidieron cambiar su forma de entrar en {subtenant}. Todavía no cambió nada.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
    copy: 'Nos pidieron cambiar su forma de entrar.',
  },
  staffChangeDone: {
    subject: 'Se hizo un cambio de su cuenta',
    text: 'Nos pidieron cambiar su forma de entrar en {subtenant}. El cambio ya está hecho.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffChangeStopped: {
    subject: 'Se detuvo un cambio de su cuenta',
    text: 'Se detuvo un cambio de su forma de entrar en {subtenant}. No cambió nada.',
    calm: '¿No lo detuvo usted? Entonces llámenos, por favor.',
  },
  staffChangeWaits: {
    subject: 'Hay un cambio pendiente en su cuenta',
    text: 'Nos pidieron cambiar su forma de entrar en {subtenant}. El cambio se hará el {date}. Hasta entonces nadie puede elegir otra contraseña.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
    copy: 'Nos pidieron cambiar su forma de entrar.',
  },
  staffUnlocked: {
    subject: 'Ya puede volver a entrar',
    text: 'Desbloqueamos su cuenta de {subtenant}. Ya puede iniciar sesión.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffSignedOut: {
    subject: 'Cerramos su sesión en todas partes',
    text: 'Nuestro equipo de ayuda cerró todas las sesiones de su cuenta de {subtenant}.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffSuspended: {
    subject: 'Su cuenta está desactivada',
    text: 'Su cuenta de {subtenant} está desactivada por ahora. No puede entrar.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffResumed: {
    subject: 'Su cuenta está activa de nuevo',
    text: 'Nuestro equipo de ayuda activó de nuevo su cuenta de {subtenant}. Ya puede entrar.',
    calm: '¿Nos lo pidió usted? Entonces no haga nada.',
  },
  staffRoleGiven: {
    subject: 'Su cuenta tiene una función más',
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
    text: 'Alguien quiso usar su correo para otra cuenta de {subtenant}. Es su correo, así que nada cambió.',
  },
} as const satisfies Spanish<typeof accountChangesEnglish>;
