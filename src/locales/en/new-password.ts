/** The live rules of a new password (SUP-05, PWD-05). */
export const newPassword = {
  passwordsMatch: 'The passwords match.',
  ruleLength: 'At least 8 characters',
  ruleUppercase: 'One uppercase',
  ruleAlphanumeric: 'Alphanumeric',
  ruleAlphanumericHint: 'Use small and capital letters and a number.',
  ruleSpecial: 'One special character',
} as const;
