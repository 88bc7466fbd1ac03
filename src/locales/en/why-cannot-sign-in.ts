/** Why a person cannot sign in, and what mends it, for who helps them. By cause (`domain/why-cannot-sign-in.ts`). */
export const whyCannotSignIn = {
  switchedOff: {
    why: '{name} cannot sign in: the account is switched off.',
    mend: 'If that is over: porchlight user resume {id}',
  },
  neverVerified: {
    why: '{name} cannot sign in: the sign-up is not finished. No code and no link was used.',
    mend: 'Ask {name} to open the sign-in page, and to press "Verify here." A new code comes by mail.',
  },
  noPassword: {
    why: '{name} cannot sign in: no password is set yet.',
    mend: 'Send the invitation again: porchlight user invite {email}',
  },
  locked: {
    why: '{name} cannot sign in from one place until {until}: the password was wrong too often there.',
    mend: 'Wait, or: porchlight user unlock {id}',
  },
  noRole: {
    why: '{name} cannot sign in: no role is left that leads to an app.',
    mend: 'Give a role: porchlight user roles {id} --give NUMBER',
  },
  moduleNotSetUp: {
    why: '{name} cannot go on after the code: the app {module} is not set up here.',
    mend: 'Set it up: porchlight module add {module}',
  },
  mailComesBack: {
    why: '{name} gets no mail from us: the newest one failed ({reason}).',
    mend: 'Ask for the right address, then: porchlight user set {id} --email ADDRESS',
  },
  wrongPassword: {
    why: '{name} typed a wrong password, and has not signed in since.',
    mend: 'Ask {name} to press "Forgot Password?" on the sign-in page.',
  },
  phoneGetsNoTexts: {
    why: '{name} gets no texts: the newest one failed ({reason}). The code is in the mail as well.',
    mend: 'Ask {name} to look in the mail. For another number: porchlight user set {id} --phone NUMBER',
  },
  codeNotTyped: {
    why: '{name} has the right password, and the code was not typed in yet.',
    mend: 'Ask {name} for the newest mail or text with a code, and to look in the spam folder.',
  },
  nothing: {
    why: 'Nothing keeps {name} from signing in.',
    mend: 'If it still fails, ask for the reference on the page: porchlight support REFERENCE',
  },
} as const;
