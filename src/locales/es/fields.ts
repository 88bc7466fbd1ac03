import type { fields as english } from '../en/fields.ts';
import type { Spanish } from './spanish.ts';

export const fields = {
  firstNameRequired: 'Escriba su nombre',
  firstNameInvalid: 'Escriba un nombre válido',
  lastNameRequired: 'Escriba su apellido',
  lastNameInvalid: 'Escriba un apellido válido',
  phoneRequired: 'Escriba su número de teléfono',
  phoneInvalid: 'Escriba un número de teléfono válido',
  phoneImpossible: 'Este país no tiene ese número. Revise el país y cada dígito',
  phoneExtension: 'Un mensaje de texto no llega a una extensión. Escriba un número sin extensión',
  emailRequired: 'Escriba su correo',
  emailInvalid: 'Escriba un correo válido',
  emailInUse: 'Este correo ya es de otra cuenta',
  passwordRequired: 'Escriba su contraseña',
  passwordWeak: 'Su contraseña no cumple todas las reglas',
  confirmRequired: 'Repita su contraseña',
  confirmMismatch: 'Las dos contraseñas no son iguales',
  otpRequired: 'Escriba el código',
  otpInvalid: 'Escriba un código válido',
  roleRequired: 'Elija una opción',
} as const satisfies Spanish<typeof english>;
