/** Pages that the server writes without the portal: no browser's bundle has these texts. */
export const plainPages = {
  brokenTitle: 'Something went wrong on our side',
  brokenText: 'Please try again. If it happens again, tell us this reference: {reference}',
  awayTitle: 'We will be back in a moment',
  awayText:
    'The service is not available right now. Nothing you sent before is lost. Please try again in a minute.',
  crowdedTitle: 'Many people are here right now',
  crowdedText:
    'Please wait a minute, then press “Try again”. If you have just sent a form, go back and send it once more.',
  refusedTitle: 'Please try once more',
  refusedText: 'This form could not be taken. Open the page again, and send it from there.',
  callUs: 'Do you need help? Call {phone} or write to {email}',
  leavingTitle: 'You are signed in',
  leavingText: 'Your application opens by itself.',
  leavingGoOn: 'Continue',
  noScript:
    'Signing in needs JavaScript here. Please turn it on in your browser and load this page again, or use another browser. You can also contact us:',
} as const;
