import type {
  helperProblems as helperProblemsEnglish,
  helpers as helpersEnglish,
} from '../en/helpers.ts';
import type { Spanish } from './spanish.ts';

export const helpers = {
  title: 'Quién le puede ayudar',
  lead: 'Quien le ayuda entra con su propia cuenta. Así nadie comparte una contraseña.',
  panelTitle: 'Alguien espera en el porche.',
  panelText: 'Solo usted entra. Usted tiene la llave.',
  states: {
    asked: 'Se lo hemos pedido. Ahora tiene que decir que sí, hasta el {date}.',
    helping: 'Le ayuda.',
    endsSoon: 'Le ayuda, pero no por mucho tiempo.',
    ended: 'Esta ayuda ha terminado.',
  },
  ends: 'Termina sola el {date}. Le contamos todo lo que hace.',
  endsSoon: 'Termina sola el {date}. Después se la puede pedir otra vez.',
  may: 'Quien le ayuda puede',
  mayList: [
    'ver si usted puede entrar',
    'pedirnos que le enviemos un enlace para elegir otra contraseña',
    'pedirnos que le enviemos otro código',
    'abrir su entrada cuando está cerrada, una vez al día',
    'leer que algo cambió, pero no lo que usted tiene',
  ],
  mayNot: 'Quien le ayuda no puede',
  mayNotList: [
    'ver su contraseña ni sus códigos',
    'entrar como usted',
    'ver sus aparatos, su correo o su teléfono',
    'cambiar su cuenta',
  ],
  end: 'Terminar esta ayuda',
  endOf: 'Terminar la ayuda de {name}',
  add: 'Pedir ayuda a alguien',
  addLead: 'Le enviamos un correo. Le ayuda cuando diga que sí.',
  email: 'Correo de quien le ayuda',
  relation: 'Qué es para usted',
  relationHint: 'Por ejemplo: mi hija, o mi vecino',
  ask: 'Pedir que me ayude',
  full: 'Ya le ayudan 3 personas. Para añadir otra, termine antes una ayuda.',

  peopleTitle: 'Personas a las que ayuda',
  youAre: 'Usted es {me}. Esta no es la cuenta de {name}.',
  youAreOfMany: 'Usted es {me}. Estas no son sus cuentas.',
  nobody: 'Ahora no ayuda a nadie.',
  unnamed: 'la persona que conoce',
  peoplePanelTitle: 'Usted espera en el porche.',
  peoplePanelText: 'A usted no le llega nada de lo que es secreto.',
  canSignIn: '{name} puede entrar.',
  cannotSignIn: 'A {name} le cuesta entrar.',
  askFor: {
    reset: 'Enviar a {name} un enlace para otra contraseña',
    resend: 'Enviar a {name} otro código o enlace',
    unlock: 'Abrir la entrada de {name}',
  },
  askNote: 'Lo que pide le llega a {name}, nunca a usted. Le decimos a {name} que usted lo pidió.',
  until: 'Su ayuda termina sola el {date}.',
  stop: 'Dejar de ayudar a {name}',
  asks: '{name} le pide ayuda',
  asksText:
    'Puede pedirnos que enviemos un correo o un código a {name}. Usted no ve contraseñas ni códigos, y nunca entra como {name}.',
  yes: 'Sí, ayudo a {name}',
  no: 'No, prefiero no hacerlo',
  said: {
    accepted: 'Gracias. Desde ahora puede ayudar.',
    ended: 'Su ayuda ha terminado.',
    done: 'Hecho. Lo que podemos enviar ahora está en camino, y decimos que usted lo pidió.',
    notNow: 'Ahora no podemos hacerlo. Por favor, pruebe más tarde, o llámenos.',
    over: 'Esta ayuda ha terminado, o nunca fue suya.',
  },
} as const satisfies Spanish<typeof helpersEnglish>;

export const helperProblems = {
  relationRequired: 'Por favor, diga qué es para usted',
  relationInvalid: 'Por favor, use pocas palabras, como: mi hija',
  helperIsYou: 'Este es su propio correo. Por favor, escriba el de quien le ayuda',
  helperIsThere: 'Ya se lo ha pedido a esta persona',
  helpersFull: 'Ya le ayudan 3 personas. Por favor, termine antes una ayuda',
} as const satisfies Spanish<typeof helperProblemsEnglish>;
