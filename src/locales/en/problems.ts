/** Messages that belong to a whole form, page or toast: those of docs/requirements.md, "Messages" to the letter, the rest ours. */
export const problems = {
  wrongCredentials: 'The username or password you entered is incorrect. Please try again.',
  general: 'Something went wrong. Try again later.',
  tooSlow: 'This takes longer than it should. Please try again.',
  allRequired: 'Please fill out all required fields as highlighted.',
  otpWrong: 'Invalid Otp.',
  otpExpired: 'OTP Expired',
  otpDead: 'This code was tried too often. Please ask for a new one.',
  otpReplaced: 'That code is of an earlier message. Type the newest.',
  otpOtherMinute: 'Wait for the next code. Is the clock of your phone right?',
  otherSignIn:
    'Another sign-in was started in this browser. Only the newest one goes on, with its own code.',
  accountSuspended: 'Your account is switched off.',
  notStaff: 'You are not staff; try using the button below.',
  tooMany: 'Too many tries. Please wait {minutes} and try again.',
  tooSoon: 'Please wait until the time is up. Then ask for a new code.',
  invalidLink: 'Invalid Link',
  handoffLoop: 'You were sent there three times in a row. We stopped here.',
  unavailable: 'Something went wrong',
} as const;

export type ProblemMessage = keyof typeof problems;
