import type { organisation as english } from '../en/organisation.ts';
import type { Spanish } from './spanish.ts';

export const organisation = {
  back: 'Volver a iniciar sesión',
  titles: {
    unlinked: 'Aquí todavía no le conocemos',
    elsewhere: 'Este camino no abre su cuenta',
    suspended: 'Su cuenta está desactivada',
    down: 'El acceso de {label} no responde',
    refused: 'El acceso de {label} dijo que no',
  },
  leads: {
    unlinked: 'El acceso de {label} le dejó pasar. Pero aquí no hay una cuenta unida a él.',
    elsewhere: 'El acceso de {label} le dejó pasar. Pero su cuenta tiene aquí también otros roles.',
    suspended: 'No se ha perdido nada. Pregunte por qué, y quién puede activarla.',
    down: 'Usted no hizo nada mal. Puede que pronto funcione de nuevo.',
    refused: 'Usted no hizo nada mal. Inténtelo una vez más.',
  },
  cameAs: 'Usted entró como',
  safe: 'Su cuenta está segura y no se ha perdido nada.',
  ask: 'Pregunte a {name}',
  askUs: 'Llámenos',
  askText: {
    unlinked: 'Allí le ayudan a unir su cuenta. Tarda dos minutos.',
    elsewhere: 'Allí pueden decirle cuál es su camino.',
    suspended: 'Allí saben qué hacer.',
    refused: 'Allí pueden ver qué falla.',
  },
  call: 'Llamar al {phone}',
  password: 'Tengo una contraseña aquí',
  passwordText: 'Inicie sesión con ella y podrá unirla usted.',
  byPassword: 'Entrar con mi contraseña',
  again: 'Intentar de nuevo',
  noPassword: '¿No tiene contraseña aquí? Espere un poco o llámenos.',
  panel: {
    known: {
      title: 'La puerta no está cerrada para usted.',
      text: 'Solo que aún no sabe su nombre.',
    },
    down: {
      title: 'Esa puerta se atascó. Esta se abre.',
      text: 'Su contraseña sirve, y su código también.',
    },
  },
} satisfies Spanish<typeof english>;
