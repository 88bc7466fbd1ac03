import type { refusals as english } from '../en/refusals.ts';
import type { Spanish } from './spanish.ts';

export const refusals = {
  sessionOver: 'Su sesión ha terminado. Por favor, entre otra vez.',
  subtenantInvalid:
    'No conocemos esta organización, o está cerrada. Por favor, mire si su enlace está bien.',
  passwordGuessable:
    'Esta contraseña es fácil de adivinar. Por favor, elija otra: unas pocas palabras que solo usted pondría juntas sirven bien.',
  promoInvalid: 'No pudimos usar este código de regalo. Mire si está bien, o déjelo vacío.',
  interactionOver: 'Esta entrada ya estaba hecha, o tardó mucho.',
  callRefused:
    'No podemos llamar a este teléfono. Por favor, use el código del correo o del mensaje.',
  badRequest: 'No pudimos leer lo que nos llegó.',
  notFound: 'No hay nada en esta dirección.',
  resetWaits:
    'Un cambio de esta cuenta espera. Hasta entonces no se puede poner otra contraseña. Por favor, llámenos.',
  lastOperator: 'Es la única persona que opera la consola. Primero nombre a otra.',
  conflict: 'Esto ya estaba hecho.',
  forbidden: 'Desde aquí no se permite.',
  moduleUnknown:
    'No es la identidad y el secreto de un módulo. Se envían como HTTP Basic: base64 de id:secret.',
  handOffInvalid: 'Este token ha cambiado, o no es nuestro.',
  handOffExpired: 'Este token ha caducado. Se usa en un minuto.',
  handOffOfAnother: 'Este token es de otro módulo.',
  handOffEncoded: 'Este token aún está en base64: descífrelo primero.',
  keyRefused: 'No pudimos guardar esta llave. Su contraseña y su código siguen sirviendo.',
  passwordWanted: 'Esta app pide también su contraseña.',
  captchaNeeded: 'Primero hace falta pasar una prueba.',
  notShared:
    'Esta aplicación no se abre en un aparato compartido. Use su propio aparato, o pregunte al personal.',
  moduleMissing:
    'La app de su función aún no está lista. Por favor, llámenos y lea esta referencia: {reference}',
  unexpected: 'Algo ha fallado por nuestra parte. Referencia: {reference}',
} as const satisfies Spanish<typeof english>;
