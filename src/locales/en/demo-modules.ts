/** The demo's small app that plays all eight modules; a real module has its own words. */
export const demoModules = {
  welcome: 'Welcome, {name}.',
  inside: 'You are in {module}.',
  role: 'You came as {role}.',
  email: 'Your email address: {email}',
  signOut: 'Sign out',
  developers: 'For developers',
  refusedTitle: 'This app could not let you in',
  refusedText: 'You did nothing wrong. Please sign in once more.',
  toSignIn: 'Go to Sign In',
  modules: {
    'member-intake': {
      name: 'Member Intake',
      inside: 'Member Intake',
      today: [
        ['Your next visit', 'Tuesday at 10 am. We come to you.'],
        ['One form to sign', 'It takes about five minutes. You can stop and go on later.'],
      ],
    },
    admin: {
      name: 'Admin',
      inside: 'the Admin app',
      today: [
        ['3 people to welcome', 'They signed up this week.'],
        ['The monthly report', 'It is ready to read.'],
      ],
    },
    'event-counter': {
      name: 'Event Counter',
      inside: 'the Event Counter',
      today: [
        ['Autumn concert, 7 pm', '42 of 60 guests are here.'],
        ['Next at the desk', 'Ask for the name on the list.'],
      ],
    },
    'mobile-event-counter': {
      name: 'Mobile Event Counter',
      inside: 'the Mobile Event Counter',
      today: [
        ['Garden gate', '18 guests came in here.'],
        ['Autumn concert, 7 pm', 'Doors open at half past six.'],
      ],
    },
    'intake-entry': {
      name: 'Intake Entry Form',
      inside: 'the Intake Entry Form',
      today: [
        ['A new form', 'Type in what was filled in on paper.'],
        ['2 forms not finished', 'They are kept as you left them.'],
      ],
    },
    agent: {
      name: 'Agent',
      inside: 'the Agent app',
      today: [
        ['5 clients to call', 'Two of them asked for the morning.'],
        ['Plans for next year', 'They are open from Monday.'],
      ],
    },
    'partner-admin': {
      name: 'Partner Admin',
      inside: 'the Partner Admin app',
      today: [
        ['Your team', '4 people work with you.'],
        ['Courses', 'The next one begins on Thursday.'],
      ],
    },
    special: {
      name: 'Special Programs',
      inside: 'Special Programs',
      today: [
        ['Choir', 'Wednesday at 3 pm, in the round room.'],
        ['Chair yoga', 'Friday at 11 am. Nobody has to stand.'],
      ],
    },
  },
} as const;
