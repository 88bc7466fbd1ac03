/** Field messages (SUP-22), to the letter, misspellings included. */
export const fields = {
  firstNameRequired: 'First name is required',
  firstNameInvalid: 'Please enter valid First Name Allowed',
  lastNameRequired: 'Last name is required',
  lastNameInvalid: 'Please enter valid Last Name Allowed',
  phoneRequired: 'Please enter the Phone Number',
  phoneInvalid: 'Enter the valid Phone Nummber',
  phoneImpossible: 'This country has no such number. Check the country and each digit',
  phoneExtension: 'A text cannot reach an extension. Please enter a number without one',
  emailRequired: 'Please enter email address',
  emailInvalid: 'Please enter a valid email address',
  emailInUse: 'This email is already associated with other account or partner',
  passwordRequired: 'Please enter password',
  passwordWeak: 'Your password does not meet our security criteria',
  confirmRequired: 'Please enter confirm password',
  confirmMismatch: 'Your password does not match',
  otpRequired: 'Please enter OTP',
  otpInvalid: 'Please enter a valid OTP',
  roleRequired: 'Please select a role',
} as const;

export type FieldMessage = keyof typeof fields;
