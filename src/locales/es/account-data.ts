import type { accountData as english } from '../en/account-data.ts';
import type { Spanish } from './spanish.ts';

export const accountData = {
  title: 'Sus datos',
  asOf: 'Esto es lo que sabemos de usted el {date}.',
  back: 'Volver a Mi cuenta',
  tables: {
    users: 'Su cuenta',
    user_roles: 'Lo que puede hacer su cuenta',
    contact_changes: 'Cambios de su correo y su teléfono',
    linked_accounts: 'Cuentas que van juntas',
    registrations: 'Cómo creó su cuenta',
    survey_answers: 'Sus respuestas',
    known_devices: 'Navegadores que conocemos',
    consents: 'Apps que permitió',
    sign_ins: 'Sus entradas',
    handoffs: 'Apps que abrió',
    otp_codes: 'Códigos que enviamos, sin las cifras',
    messages: 'Mensajes con un código',
    reset_links: 'Enlaces para otra contraseña',
    activation_links: 'Enlaces de su cuenta nueva',
    visits: 'Visitas de sus navegadores',
    client_requests: 'Entradas que pidieron las apps',
    hosted_payloads: 'Sesiones con apps',
    inbox_messages: 'Correos y mensajes',
    received_leads: 'Lo que dijimos a nuestro socio',
    audit_events: 'Lo que pasó',
  },
} as const satisfies Spanish<typeof english>;
