import type { guide as english } from '../en/guide.ts';
import type { Spanish } from './spanish.ts';

export const guide = {
  title: 'Cómo entrar',
  lead: 'Tres pasos. Tenga cerca su teléfono o su correo.',
  findTitle: 'Busque la puerta roja',
  find: 'Vaya a {host}. Verá una puerta roja en un arco.',
  type: 'Escriba su correo y su contraseña. Presione {login}.',
  login: 'Iniciar sesión',
  codeTitle: 'Escriba los seis dígitos',
  code: 'Le enviamos un código por correo y otro por mensaje de texto. Sirven los dos.',
  enter: 'Escríbalo en las seis casillas. Presione {verify}.',
  verify: 'Verificar código',
  mail: 'Correo',
  text: 'Mensaje de texto',
  openTitle: 'La puerta está abierta',
  opened: 'Ya está dentro. Sin prisa.',
  leave: 'Al final, presione {signOut}. La puerta se cierra.',
  signOut: 'Cerrar sesión',
  call: 'Llámenos, contesta una persona:',
  email: 'Mi correo:',
  warning: 'No escriba aquí su contraseña. Nunca se la pedimos, ni tampoco su código.',
  back: 'Llámenos o escríbanos',
} as const satisfies Spanish<typeof english>;
