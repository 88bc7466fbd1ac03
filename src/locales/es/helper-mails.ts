import type { helperMails as english } from '../en/helper-mails.ts';
import type { Spanish } from './spanish.ts';

export const helperMails = {
  asked: {
    subject: '{subtenant}: Una persona le pide ayuda',
    headline: '{member} le pide ayuda',
    text: '{member} quiere que usted le ayude a entrar. Usted no ve contraseñas ni códigos, y no entra como {member}. Podrá pedirnos que enviemos un correo o un código nuevo a {member}.',
  },
  started: {
    subject: '{subtenant}: Ahora usted ayuda a alguien',
    headline: 'Ahora usted ayuda a {member}',
    text: 'Gracias. Su ayuda termina sola el {date}. Puede terminarla cuando quiera.',
  },
  endsSoon: {
    subject: '{subtenant}: Su ayuda termina el {date}',
    headline: 'Su ayuda a {member} termina el {date}',
    text: 'La ayuda termina sola después de un año. Después {member} puede pedírsela de nuevo.',
  },
  ended: {
    subject: '{subtenant}: Su ayuda terminó',
    headline: 'Usted ya no ayuda a {member}',
    text: 'Su ayuda a {member} terminó. No tiene que hacer nada.',
  },
  copy: {
    subject: '{subtenant}: Noticias de una persona a quien ayuda',
    headline: 'Hay noticias de {member}',
    text: '{what}',
  },
  nobody: 'Alguien que usted conoce',
  answer: 'Responder',
  answerHow: 'Inicie sesión con este correo. Después acepte o rechace.',
  signUpFirst:
    '¿Aún no tiene cuenta? Presione allí «Crear una cuenta». Use este mismo correo. Después vuelva a este mensaje.',
  toPage: 'Personas a las que ayuda',
  notKnown: '¿No conoce a {member}? Entonces no haga nada. Esto termina solo en 14 días.',
  why: 'Usted ayuda a {member}. Por eso recibe este correo. Por favor, pregunte a {member} si está bien. Si no, llamen juntos a nuestro teléfono de ayuda.',
  newSignIn: 'Alguien entró con un navegador nuevo.',
  passwordTried: 'Alguien escribió muchas veces una contraseña incorrecta.',
  otherChange: 'Cambió una forma de entrar.',
} as const satisfies Spanish<typeof english>;
