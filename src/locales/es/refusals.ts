import type { refusals as english } from '../en/refusals.ts';
import type { Spanish } from './spanish.ts';

export const refusals = {
  sessionOver: 'Su sesión terminó. Por favor, inicie sesión de nuevo.',
  subtenantInvalid:
    'No conocemos esta organización, o está cerrada. Por favor, compruebe que su enlace está bien.',
  passwordGuessable:
    'Esta contraseña es fácil de adivinar. Por favor, elija otra: unas pocas palabras que solo usted pondría juntas sirven bien.',
  promoInvalid:
    'No pudimos usar este código promocional. Compruebe que está bien escrito, o déjelo vacío.',
  interactionOver: 'Este inicio de sesión ya se usó, o tardó demasiado.',
  callRefused:
    'No podemos llamar a este teléfono. Por favor, use el código del correo o del mensaje.',
  badRequest: 'No pudimos leer lo que nos llegó.',
  notFound: 'No hay nada en esta dirección.',
  resetWaits:
    'Hay un cambio pendiente en esta cuenta. Hasta que se haga, nadie puede elegir otra contraseña. Por favor, llámenos.',
  linkTaken: 'Este acceso está unido a otra cuenta. Llámenos, por favor.',
  keptByOrganisation:
    'Usted entra por su organización. Aquí no se pone contraseña, llave ni código de una app.',
  offByOrganisation:
    'La organización de esta persona desactivó la cuenta. Solo ella puede activarla.',
  lastOperator: 'Nadie más administra la consola. Primero nombre a otra persona.',
  conflict: 'Esto ya estaba hecho.',
  forbidden: 'Desde aquí no se permite.',
  moduleUnknown:
    'La identidad o el secreto del módulo no son correctos. Se envían como HTTP Basic: base64 de id:secret.',
  handOffInvalid: 'Este token cambió, o no es nuestro.',
  handOffExpired: 'Este token venció. Se usa en un minuto.',
  handOffOfAnother: 'Este token es de otro módulo.',
  handOffEncoded: 'Este token aún está en base64: decodifíquelo primero.',
  keyRefused: 'No pudimos guardar esta llave. Su contraseña y su código siguen sirviendo.',
  passwordWanted: 'Esta app pide también su contraseña.',
  captchaNeeded: 'Primero hay que pasar una prueba de seguridad.',
  notShared:
    'Esta app no se abre en un dispositivo compartido. Use su propio dispositivo, o pregunte al personal.',
  moduleMissing:
    'La app de su función aún no está lista. Por favor, llámenos y lea esta referencia: {reference}',
  unexpected: 'Algo salió mal de nuestro lado. Referencia: {reference}',
} as const satisfies Spanish<typeof english>;
