/** Why a person cannot sign in, and what mends it, for who helps them. By cause (`domain/help-desk/why-cannot-sign-in.ts`). */
export const whyCannotSignIn = {
  offByOrganisation: '{name} cannot sign in: {organization} switched the account off.',
  offByOrganisationMend:
    'They turn it on again in their own list of people. Is the person yours and not theirs? An operator unlinks the account.',
  organisationAway: '{name} cannot sign in by {organization}: their sign-in does not answer.',
  organisationAwayMend:
    'Tell those who look after it at {organization}. For an operator: porchlight organisation check',
  notLinked: '{name} tried the sign-in of {organization}, and it is not linked to the account yet.',
  notLinkedMend: 'Ask {name} to sign in by password and code once, and to link it in My account.',
  switchedOff: '{name} cannot sign in: the account is switched off.',
  switchedOffMend: 'If that is over: porchlight user resume {id}',
  neverVerified:
    '{name} cannot sign in: the sign-up is not finished. No code and no link was used.',
  neverVerifiedMend:
    'Ask {name} to open the sign-in page, and to press "Verify here." A new code comes by mail.',
  noPassword: '{name} cannot sign in: no password is set yet.',
  noPasswordMend: 'Send the invitation again: porchlight user invite {email}',
  locked:
    '{name} cannot sign in from one place until {until}: the password was wrong too often there.',
  lockedMend: 'Wait, or: porchlight user unlock {id}',
  noRole: '{name} cannot sign in: no role is left that leads to an app.',
  noRoleMend: 'Give a role: porchlight user roles {id} --give ROLE',
  moduleNotSetUp: '{name} cannot go on after the code: the app {module} is not set up here.',
  moduleNotSetUpMend: 'Set it up: porchlight module add {module}',
  changeWaits: '{name} gets no new password until {until}: a change of the account waits.',
  changeWaitsMend:
    'Who knows the password signs in as before. Is the change wrong? The console stops it.',
  mailComesBack: '{name} gets no mail from us. The newest mail came back: {reason}.',
  mailComesBackMend: 'Ask for the right address, then: porchlight user set {id} --email ADDRESS',
  wrongPassword: '{name} typed a wrong password, and has not signed in since.',
  wrongPasswordMend: 'Ask {name} to press "Forgot Password?" on the sign-in page.',
  phoneGetsNoTexts:
    '{name} gets no texts. The newest one came back: {reason}. A code is in the mail, too, with digits of its own.',
  phoneGetsNoTextsMend:
    'Ask {name} to press "It has not come", then "Call me with my code". For another number: porchlight user set {id} --phone NUMBER',
  codeNotTyped: '{name} has the right password, and the code was not typed in yet.',
  codeNotTypedMend:
    'Ask {name} for the newest mail or text with a code, and to look in the spam folder.',
  appCodeNotTyped:
    '{name} has the right password. The code of the app was not typed in, or it was wrong.',
  appCodeNotTypedMend:
    'Is the time on the phone of {name} right? A recovery code from the printed sheet works, too. Both are lost, and you know that it is {name}: porchlight user remove-app-code {id}',
  nothing: 'Nothing keeps {name} from signing in.',
  nothingMend: 'If it still fails, ask for the reference on the page: porchlight support REFERENCE',
} as const;
