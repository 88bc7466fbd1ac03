/** Forgotten, reset and first passwords: PWD-01 to PWD-09 to the letter; the rest ours. */
export const passwords = {
  forgotLead: 'Tell us your email. We send you a link to set a new password.',
  email: 'Email',
  forgotSubmit: 'Reset password',
  forgotPending: 'Sending the link…',
  backToLogin: 'Back to Sign In',
  checkTitle: 'Check your email',
  linkSent:
    'A reset password link has been sent to your registered email address. Click the link to create a new password.',
  sentTo: 'Open your mail. We sent you one here:',
  sentBefore:
    'We sent the last one {minutes} ago. Its link still works, so we did not send another.',
  notThere: 'Did not get it? Look in your spam folder, or ask for another.',
  askAgain: 'Ask for another mail',
  noAccount: 'No account found with this email address.',
  createAccount: 'create a new account',
  notActive: 'Please verify your email address to continue.',
  verifyHere: 'Verify here.',
  opening: 'Opening…',
  resetTitle: 'Set new password',
  setTitle: 'Set Password',
  newPassword: 'New password',
  confirm: 'Confirm password',
  submit: 'Set password',
  pending: 'Setting your password…',
  checkingLink: 'Checking your link…',
  securityRefreshed: 'Security check refreshed.',
  samePassword: 'Your new password must be different from Old password',
  status404: 'User does not exist.',
  status401: 'Unauthorized to change password.',
  status400: 'Invalid change password request',
  statusOther: 'Unable to procees your request, Please try later.',
} as const;

export type PasswordMessage = keyof typeof passwords;
