import type { roles as english } from '../en/roles.ts';
import type { Spanish } from './spanish.ts';

export const roles = {
  title: 'Cambiar de cuenta',
  legend: 'Elija cómo quiere continuar',
  submit: 'Continuar',
  pending: 'Abriendo…',
  signInOnApp: 'Iniciar sesión en la app',
  signInOnAppLine: 'Use la app de miembros con su cuenta de personal',
  none: 'Su cuenta aún no está lista. Por favor, llámenos.',
  myAccount: 'Mi cuenta',
  shareDevice: 'Usar como dispositivo compartido',
  stopSharing: 'Dejar de compartir este dispositivo',
  signOut: 'Cerrar sesión',
  lines: {
    1: 'Sus planes, sus documentos y sus visitas',
    3: 'Trabajo del personal y pagos',
    4: 'Personas, configuración e informes',
    5: 'Sus clientes y sus planes',
    6: 'Recibir a las visitas en la recepción',
    9: 'Planes, documentos y visitas de su casa',
    10: 'Registrar a nuevos miembros',
    11: 'Personas e informes de su zona',
    13: 'Documentos legales y pagos',
    14: 'Preparar los documentos legales',
    15: 'Pagos y recibos',
    16: 'Recibir a las visitas con su teléfono',
    17: 'Sus clientes y su equipo',
    18: 'Sus cursos en la academia',
    20: 'Programas que tienen su propio sitio',
    21: 'Escribir nuevos formularios',
  },
} as const satisfies Spanish<typeof english>;
