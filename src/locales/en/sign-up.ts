export const signUp = {
  title: 'Sign up',
  trial: 'Start your 30-day free trial.',
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email',
  password: 'Password',
  confirm: 'Confirm Password',
  promo: 'Promo code',
  submit: 'Sign Up',
  pending: 'Creating your account…',
  pendingSpoken: 'Creating your account',
  haveAccount: 'Already have an account?',
  logIn: 'Log in',
  /** Beside the message of an address in use. */
  signIn: 'Sign In',
} as const;
