/** Texts of the building blocks that every screen shares. */
export const ui = {
  required: '* means required',
  step: 'Step {n} of 2',
  optional: '(optional)',
  errorTitlePrefix: 'Error: ',
  problemTitle: 'There is a problem',
  offline: 'You seem to be offline. Your answers are still here.',
  backOnline: 'You are back online.',
  goOn: 'Continue',
  tryAgain: 'Try again',
  forgotPassword: 'Forgot Password?',
  checkBrowser: 'Is my browser all right?',
  problemsTitle: 'There are {count} problems',
  stillWorking: 'Still working. Please keep this page open.',
  pressIt: 'If nothing happens, press {label}.',
  late: 'This takes longer than it should.',
  lateHow: 'Nothing is lost. Press {label}.',
  lateAgain: 'Please load this page again.',

  password: {
    show: 'Show',
    hide: 'Hide',
    showLabel: 'Show {field}',
    hideLabel: 'Hide {field}',
    nowVisible: 'Your password is visible',
    nowHidden: 'Your password is hidden',
    space:
      'What you typed begins or ends with a space. Leave it out if it is not part of your password.',
  },
} as const;
