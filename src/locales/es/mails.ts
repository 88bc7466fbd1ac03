import type { mails as english } from '../en/mails.ts';
import type { Spanish } from './spanish.ts';

export const mails = {
  greeting: 'Hola, {name}:',
  greetingNobody: 'Hola:',
  footer: 'Enviado por {subtenant} con Porchlight.',
  footerOwn: 'Enviado por {subtenant}.',
  help: '¿Necesita ayuda?',
  callUs: 'Llame al {phone}',
  orWrite: 'O escríbanos:',
  signIn: 'Iniciar sesión',
  notYou: 'Si no fue usted, no haga nada.',
  wasNotYou: '¿No fue usted? Llámenos ahora.',
  pressButton: 'Presione el botón',
  theButton: 'el botón',
  openLink: 'Abra este enlace',
  theLink: 'el enlace',

  codeSubject: '{code} es su código de {subtenant}',
  codeRest: 'es su código de {subtenant}.',
  codeSignUp:
    'Escriba {code} en las seis casillas de la página donde crea su cuenta. Así confirma su correo.',
  codeRole:
    'Usted ya tiene una cuenta. Escriba {code} en las seis casillas de la página, y su cuenta servirá también en {subtenant}. Su contraseña no cambia.',
  codeSignIn: 'Escriba {code} en las seis casillas de la página de inicio de sesión.',
  codeStepUp: 'Escriba {code} en la página de su cuenta que lo pide.',
  thisCode: 'este código',
  codeLife: 'El código dura {minutes}. ¿Es tarde? Pida otro en la página.',
  codeLifeUntil:
    'El código dura {minutes}. Hora límite: {time}. ¿Es tarde? Pida otro en la página.',
  codeOr: 'O hágalo sin el código.',
  codePage: 'Nuestra página tiene seis casillas. ¿La suya se ve distinta? Deténgase y llámenos.',
  codeWarning: 'Nunca le pediremos este código. Si usted no lo pidió, no haga nada.',
  // No accents but those of the GSM alphabet: with one more the text would be three messages.
  codeSms: '{code} es su codigo de {subtenant}. Dura {minutes}. Nunca le pediremos este codigo.',
  codeSmsShort: '{code} es su codigo de {subtenant}. Nunca le pediremos este codigo.',
  confirm: 'Confirmar mi correo',

  activationSubject: 'Confirme su correo para {subtenant}',
  activationHeadline: 'Confirme su correo',
  activationText: 'Usted creó una cuenta en {subtenant}. Queda un paso.',
  activationLife: '{press}, en cualquier dispositivo. Dura {life}.',
  activationWarning: 'Si usted no creó esta cuenta, puede borrar este correo. No pasará nada.',

  resetSubject: 'Elija otra contraseña para {subtenant}',
  resetHeadline: 'Elija otra contraseña',
  resetText: '{press} y elija otra contraseña. Sirve una vez, y durante {life}.',
  resetButton: 'Elegir otra contraseña',
  resetWarning: '¿No lo pidió usted? Entonces no haga nada. Su contraseña no cambia.',

  invitationSubject: 'Su cuenta de {subtenant}',
  invitationHeadline: 'Su cuenta está lista',
  invitationText:
    '{subtenant} le abrió una cuenta. {press} y elija su contraseña. Sirve una vez, y durante {life}.',
  invitationButton: 'Elegir mi contraseña',
  invitationLater:
    '¿Ya no funciona {button}? Vaya a «Iniciar sesión». Elija «¿Olvidó su contraseña?».',
  invitedSubject: 'Una invitación a {subtenant}',
  invitedHeadline: '{by} le invita',
  invitedText: '{by} le invita a {subtenant}, como: {role}.',
  invitedNext: '{press} para ver qué significa. No pasa nada antes de su sí. Vale hasta el {date}.',
  invitedButton: 'Ver la invitación',
  invitedWarning:
    '¿No conoce a {by} ni a {subtenant}? Entonces no haga nada. No existe ninguna cuenta.',
  takenSubject: '{subtenant}: usted ya tiene una cuenta',
  takenHeadline: 'Usted ya tiene una cuenta',
  takenText: 'Alguien quiso invitarle a una casa. La casa usa nuestro acceso.',
  takenStays:
    'Usted tiene una cuenta con esta dirección. La cuenta sigue como está. Nadie sabe que la tiene.',
  takenOther: '¿Quiere ir allí? Entonces deles otra dirección suya.',
  takenWarning: '¿No sabe nada de esto? Entonces no haga nada.',
  staffChangeSubject: '{subtenant}: confirme un cambio, por favor',
  staffChangeHeadline: 'Confirme un cambio, por favor',
  staffChangeText:
    'Nos pidieron en {subtenant} cambiar su forma de entrar. {press} y vea qué es. La página está disponible 7 días.',
  staffChangeButton: 'Ver el cambio',
  staffChangeWarning: '¿No lo pidió usted? Entonces no presione nada y llámenos.',
  staffChangeSms: '{subtenant}: Su acceso cambiará. ¿No fue usted? Pare: {link}',
  invitationWarning: '¿No conoce {subtenant}? Entonces no haga nada. Nadie puede entrar.',

  changedSubject: 'Su contraseña de {subtenant} cambió',
  changedHeadline: 'Su contraseña cambió',
  changedText:
    'Cerramos su sesión en todas partes. Inicie sesión de nuevo con la contraseña nueva.',
  firstPasswordSubject: 'Su contraseña de {subtenant} está lista',
  firstPasswordHeadline: 'Su contraseña está lista',
  firstPasswordText: 'Ya puede iniciar sesión con ella.',
  changedRemoved:
    'Por seguridad también quitamos lo que era nuevo: {names}. Puede agregarlo de nuevo.',

  roleAddedSubject: 'Su cuenta ya sirve en {subtenant}',
  roleAddedHeadline: 'Su cuenta ahora abre también {subtenant}',
  roleAddedText:
    'Alguien se registró en {subtenant} con su correo. Usted ya tiene una cuenta, y ahora abre también {subtenant}. Su contraseña no cambió.',

  existsSubject: 'Usted ya tiene una cuenta en {subtenant}',
  existsHeadline: 'Usted ya tiene una cuenta',
  existsText:
    'Alguien quiso crear una cuenta en {subtenant} con su correo. No es necesario: usted ya puede entrar. Su contraseña no cambió.',
  existsForgot: '¿Olvidó su contraseña? Puede elegir otra en la página de inicio de sesión.',

  byOrganisationSubject: 'Cómo entra usted en {subtenant}',
  byOrganisationHeadline: 'Usted entra por {organization}',
  byOrganisationText:
    'Alguien pidió a {subtenant} una contraseña o una cuenta nueva con su correo. Usted ya tiene una cuenta, y aquí no necesita contraseña.',
  byOrganisationButton: 'En la página de inicio de sesión, elija «{organization}».',

  suspendedSubject: 'Su cuenta de {subtenant} está desactivada',
  suspendedHeadline: 'Su cuenta está desactivada',
  suspendedText:
    'Alguien pidió a {subtenant} otra contraseña para su cuenta. La cuenta está desactivada. Otra contraseña no la abre.',
  suspendedCall: 'Por favor, llámenos. Lo revisamos con usted.',

  nothingSubject: '{subtenant} no encontró ninguna cuenta',
  nothingHeadline: 'No encontramos ninguna cuenta',
  nothingText:
    'Alguien pidió en {subtenant} otra contraseña con este correo. No tenemos ninguna cuenta con él.',
  nothingOther: '¿Usó usted otro correo? Entonces inténtelo con ese.',
  signUp: 'Crear una cuenta',

  firstSignInSubject: 'El primer inicio de sesión en su cuenta de {subtenant}',
  firstSignInHeadline: 'El primer inicio de sesión en su cuenta',
  firstSignInText: '{when} alguien inició sesión por primera vez en su cuenta de {subtenant}.',
  firstSignInOk: '¿Fue usted? ¡Le damos la bienvenida! No tiene que hacer nada.',

  newSignInSubject: 'Nuevo inicio de sesión en su cuenta de {subtenant}',
  newSignInHeadline: 'Un nuevo inicio de sesión en su cuenta',
  newSignInText:
    '{when} alguien inició sesión con {browser}. Es un navegador nuevo para su cuenta.',
  newSignInOk: '¿Fue usted? Entonces no haga nada.',
  newSignInWarning:
    '¿No fue usted? Llámenos ahora. O elija otra contraseña: así se cierran todas las demás sesiones.',
  whenAt: 'El {date} ({time})',
  whenJustNow: 'Justo antes de enviar este correo,',
  browserOn: '{browser} en {system}',
  systems: {
    iPhone: 'un iPhone',
    iPad: 'un iPad',
    android: 'Android',
    windows: 'Windows',
    chromebook: 'un Chromebook',
    mac: 'una Mac',
    linux: 'Linux',
  },
  browserUnknown: 'un navegador que no conocemos',

  triedSubject: 'Alguien quiso entrar en su cuenta de {subtenant}',
  triedHeadline: 'Alguien quiso entrar en su cuenta',
  triedText:
    'Desde ayer alguien intentó muchas veces entrar en su cuenta de {subtenant}. La contraseña era incorrecta. Sin la contraseña correcta nadie entra.',
  triedNothing: 'No tiene que hacer nada. Su contraseña no cambió.',
  triedYou: '¿Fue usted, porque olvidó su contraseña? Entonces elija otra.',
  triedWarning: 'Nunca le pediremos su contraseña. ¿Tiene una pregunta? Llámenos.',

  trialSubject: 'Su prueba gratis de {subtenant} termina en {days}',
  trialHeadline: 'Su prueba gratis termina en {days}',
  trialText: 'Su prueba termina el {date}. Después de ese día podrá seguir entrando.',
  trialCost: 'La prueba es gratis. Al empezar no le pedimos tarjeta ni cuenta bancaria.',
  trialQuestion: '¿Quiere saber qué viene después? Llámenos.',
} as const satisfies Spanish<typeof english>;
