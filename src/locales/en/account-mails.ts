/** Mails about changes of an account: one entry a kind of change. */
export const accountMails = {
  /** Words for every kind; `what` is its own subject. */
  subject: '{subtenant}: {what}',
  undoText: '{press} and everything is as before. It works until {until}.',
  undoButton: 'Undo this change',
  wasYou: 'Was it you? Then do nothing.',
  wasNotYou: 'This was not me',
  callUs: 'Was this not you? Call us now.',
} as const;

/**
 * What happened, for each kind of change. The subject stands as the headline, too. `calm` replaces `wasYou`. `copy` is what
 * a trusted helper reads: no link, device, place or contact.
 */
export const accountChanges = {
  nameChanged: {
    subject: 'Your name was changed',
    text: 'At {subtenant} your name is now {name}.',
  },
  emailChanged: {
    subject: 'Your email address was changed',
    text: 'Your old address still gets our notices for 3 days. Mails and codes of {subtenant} now go to {email}',
    copy: 'The email address was changed.',
  },
  addressWanted: {
    subject: 'Somebody typed your email address',
    text: 'Somebody wanted to use your email address for another account at {subtenant}. It is yours, so nothing changed.',
  },
  phoneChanged: {
    subject: 'Your phone number was changed',
    text: 'Codes of {subtenant} now go to the phone ending in {phone}',
    copy: 'The phone number was changed.',
  },
  phoneRemoved: {
    subject: 'Your phone number was removed',
    text: 'Codes of {subtenant} now come by mail only.',
    copy: 'The phone number was removed.',
  },
  changeUndone: {
    subject: 'Your change was undone',
    text: 'At {subtenant} your email and phone are as they were before. We signed you out everywhere, and the password no longer works.',
    calm: 'Now choose a new password.',
    next: 'Choose a new password',
    copy: 'A change was undone.',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'Your password at {subtenant} was changed. We signed you out on all other devices.',
    copy: 'The password was changed.',
  },
  sessionsEnded: {
    subject: 'You were signed out on other devices',
    text: 'We ended other sign-ins to your account at {subtenant}, because you asked for it.',
    copy: 'Other devices were signed out.',
  },
  appCodeAdded: {
    subject: 'You now sign in with codes from an app',
    text: 'From now on {subtenant} asks for the code of your app. We no longer mail you codes to sign in.',
  },
  appCodeRemoved: {
    subject: 'Codes from your app are switched off',
    text: 'From now on {subtenant} mails you a code again when you sign in.',
  },
  recoveryCodesNew: {
    subject: 'You have new recovery codes',
    text: 'Your old recovery codes at {subtenant} no longer work. Throw that sheet away.',
  },
  recoveryCodeUsed: {
    subject: 'A recovery code was used',
    text: 'A recovery code opened your account at {subtenant}. You have {left} more.',
  },
  organisationLinked: {
    subject: 'You can sign in by {label}',
    text: 'You can now sign in to {subtenant} by the sign-in of {label}. Your password and your code still work.',
  },
  organisationUnlinked: {
    subject: 'You no longer sign in by {label}',
    text: 'The sign-in of {label} no longer opens your account at {subtenant}.',
  },
  keyAdded: {
    subject: 'A saved key was added',
    text: 'You can now sign in to {subtenant} with a key saved on: {key}. Your password and your code still work.',
  },
  keyRemoved: {
    subject: 'A saved key was removed',
    text: 'The key saved on {key} no longer opens your account at {subtenant}.',
  },
  keyCopied: {
    subject: 'A saved key was stopped',
    text: 'The key saved on {key} did not act as it should. Somebody may have a copy of it. So we did not let it in to your account at {subtenant}. Remove this key in My account, and save a new one.',
  },
  accountCloses: {
    subject: 'Your account closes on {date}',
    text: 'You asked {subtenant} to close your account. On {date} we erase it. Do you want to keep it? Sign in before that day.',
  },
  accountKept: {
    subject: 'Your account stays open',
    text: 'You chose to keep your account at {subtenant}. Nothing was erased.',
  },
  helperNamed: {
    subject: 'You asked somebody to help you',
    text: 'You asked {email} to be your helper at {subtenant}. It starts once they say yes.',
    copy: 'Somebody was asked to be a helper.',
  },
  helperAdded: {
    subject: 'You have a helper now',
    text: '{helper} may ask {subtenant} for a mail, a new code or an unlock for you. They never see your password or your codes. It ends on {date}.',
    calm: 'Did you ask for this? Then do nothing. You can end it in My account at any time.',
  },
  helperEnded: {
    subject: 'A helper no longer helps you',
    text: 'The help of {helper} at {subtenant} has ended.',
    copy: 'One helper was removed.',
  },
  helperEndsSoon: {
    subject: 'The help of your helper ends on {date}',
    text: '{helper} helps you at {subtenant}. After a year this ends by itself, on {date}. Then you can ask again.',
    calm: 'You need do nothing now.',
  },
  helpReset: {
    subject: 'Your helper asked for a mail for you',
    text: '{helper} helps you. They asked us to send you a link for a new password. It comes in a mail of its own.',
    calm: 'Did you want this? Then do nothing. You can end this help in My account.',
  },
  helpResend: {
    subject: 'Your helper asked for a new code for you',
    text: '{helper} helps you. They asked us to send again what you wait for. Load the page again, and use the newest message.',
    calm: 'Did you want this? Then do nothing. You can end this help in My account.',
  },
  helpUnlock: {
    subject: 'Your helper asked us to unlock your sign-in',
    text: '{helper} helps you. If too many tries had locked your sign-in, it is open again.',
    calm: 'Did you want this? Then do nothing. You can end this help in My account.',
  },
  staffChangeAsked: {
    subject: 'A change of your account was asked for',
    text: 'Our help desk was asked to change how you sign in at {subtenant}. Nothing is changed yet.',
    calm: 'Did you ask us for it? Then do nothing.',
    copy: 'Our help desk was asked to change how they sign in.',
  },
  staffChangeDone: {
    subject: 'A change of your account was made',
    text: 'Our help desk was asked to change how you sign in at {subtenant}. The change is made now.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
  staffChangeStopped: {
    subject: 'A change of your account was stopped',
    text: 'A change of how you sign in at {subtenant} was stopped. Nothing is changed.',
    calm: 'Did you not stop it yourself? Then please call us.',
  },
  staffChangeWaits: {
    subject: 'A change of your account waits',
    text: 'Our help desk was asked to change how you sign in at {subtenant}. The change takes effect on {date}. Until then nobody can set a new password.',
    calm: 'Did you ask us for it? Then do nothing.',
    copy: 'Our help desk was asked to change how they sign in.',
  },
  staffUnlocked: {
    subject: 'Your sign-in is open again',
    text: 'Our help desk opened your sign-in at {subtenant} again. You can try now.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
  staffSignedOut: {
    subject: 'You were signed out everywhere',
    text: 'Our help desk ended all sign-ins to your account at {subtenant}.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
  staffSuspended: {
    subject: 'Your account was switched off',
    text: 'Our help desk switched off your account at {subtenant}. You cannot sign in for now.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
  staffResumed: {
    subject: 'Your account is on again',
    text: 'Our help desk switched on your account at {subtenant}. You can sign in again.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
  staffRoleGiven: {
    subject: 'Your account can do more now',
    text: 'Our help desk gave your account at {subtenant} the role {role}.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
  staffRoleTaken: {
    subject: 'A role was taken away',
    text: 'Our help desk took the role {role} from your account at {subtenant}.',
    calm: 'Did you ask us for it? Then do nothing.',
  },
} as const satisfies Record<string, AccountChangeWords>;

export type AccountChange = keyof typeof accountChanges;

export type AccountChangeWords = {
  readonly subject: string;
  readonly text: string;
  readonly calm?: string;
  readonly copy?: string;
  /** The button of a mail that leads on. */
  readonly next?: string;
};
