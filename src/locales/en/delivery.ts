/** What became of the mail and the text that carry a code. */
export const delivery = {
  label: 'Where your code is',
  spoken: '{channel}: {state}.',
  phoneEnding: 'phone ending in {digits}',
  channels: { email: 'Email', sms: 'Text', whatsapp: 'WhatsApp' },

  onItsWay: 'on its way',
  stillTrying: 'not sent yet, we keep trying',
  sent: 'sent {time}',
  notYet: 'sent {time}, not there yet',
  delivered: 'arrived {time}',
  failed: 'could not be delivered',

  failedEmail: 'Your email could not be delivered.',
  failedPhone: 'Your text message could not be delivered.',
  email: {
    invalid: 'There is no mailbox at this address.',
    blocked: 'The mail service of this address does not take our mail.',
    suppressed: 'Earlier mail to this address came back, so we stopped.',
    unreachable: 'The mailbox is full or closed.',
    notAllowed: 'We cannot send mail to this address.',
    unavailable: 'Our mail does not work right now.',
    expired: 'Sending it took too long.',
  },
  phone: {
    invalid: 'This number cannot get text messages.',
    blocked: 'This phone does not take our text messages.',
    suppressed: 'This phone does not take our text messages.',
    unreachable: 'The phone is off, or out of reach.',
    notAllowed: 'We cannot send text messages to this number.',
    // True of an outage and of a production that has no provider for them.
    unavailable: 'We cannot send text messages.',
    expired: 'Sending it took too long.',
  },
  lookInEmail: 'Look for the code in your email.',
  lookAtPhone: 'Look for the code on your phone.',
  checkBoth: 'Please check that your email address and phone number are right.',
  byEmail: 'Get a new code by email only',
  byText: 'Get a new code by text message only',
  again: 'Try to send it again',
} as const;
