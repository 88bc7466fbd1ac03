/** After a new password: PWD-09 to the letter. */
export const passwordDone = {
  resetDoneTitle: 'Password reset',
  setDoneTitle: 'Set password',
  changed: 'Your password has been changed successfully',
  created: 'Your password has been created successfully',
  backToSignIn: 'Back to login',
  /** For somebody whom another application sent here. */
  onTo: 'Go on to {client}',
  goBackTo: 'You can go back to {client} now, and sign in there with your new password.',
} as const;
