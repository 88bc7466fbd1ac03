import type { demoModules as english } from '../en/demo-modules.ts';
import type { Spanish } from './spanish.ts';

export const demoModules = {
  welcome: 'Hola, {name}.',
  inside: 'Está en {module}.',
  role: 'Entró como {role}.',
  email: 'Su correo: {email}',
  signOut: 'Cerrar sesión',
  developers: 'Para quienes programan',
  refusedTitle: 'Esta app no pudo abrirse',
  refusedText: 'Usted no hizo nada mal. Por favor, inicie sesión de nuevo.',
  toSignIn: 'Ir a iniciar sesión',
  modules: {
    'member-intake': {
      name: 'Datos de miembros',
      inside: 'la app de miembros',
      today: [
        ['Su próxima visita', 'El martes a las 10. Vamos a su casa.'],
        ['Un papel por firmar', 'Son unos cinco minutos. Puede parar y seguir más tarde.'],
      ],
    },
    admin: {
      name: 'Administración',
      inside: 'la app de administración',
      today: [
        ['3 personas nuevas', 'Se inscribieron esta semana.'],
        ['El informe del mes', 'Ya se puede leer.'],
      ],
    },
    'event-counter': {
      name: 'Recepción de eventos',
      inside: 'la recepción de eventos',
      today: [
        ['Concierto de otoño, a las 7', 'Ya están aquí 42 de 60 personas.'],
        ['En la recepción', 'Pregunte qué nombre está en la lista.'],
      ],
    },
    'mobile-event-counter': {
      name: 'Recepción móvil',
      inside: 'la recepción con teléfono',
      today: [
        ['Puerta del jardín', 'Por aquí entraron 18 personas.'],
        ['Concierto de otoño, a las 7', 'La puerta se abre a las seis y media.'],
      ],
    },
    'intake-entry': {
      name: 'Formularios nuevos',
      inside: 'la app de formularios',
      today: [
        ['Un formulario nuevo', 'Escriba lo que está en el papel.'],
        ['2 sin terminar', 'Siguen como usted los dejó.'],
      ],
    },
    agent: {
      name: 'Agente',
      inside: 'la app de agentes',
      today: [
        ['Llamar a 5 clientes', 'Dos pidieron una llamada por la mañana.'],
        ['Planes del año que viene', 'Se abren el lunes.'],
      ],
    },
    'partner-admin': {
      name: 'Socios',
      inside: 'la app de socios',
      today: [
        ['Su equipo', 'Con usted trabajan 4 personas.'],
        ['Cursos', 'El próximo empieza el jueves.'],
      ],
    },
    special: {
      name: 'Programas especiales',
      inside: 'los programas especiales',
      today: [
        ['Coro', 'El miércoles a las 3, en la sala redonda.'],
        ['Yoga en silla', 'El viernes a las 11. No hay que estar de pie.'],
      ],
    },
  },
} as const satisfies Spanish<typeof english>;
