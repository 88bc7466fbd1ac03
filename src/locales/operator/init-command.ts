/** What an operator reads of `porchlight init`, and in the files that it writes, beside the words of the settings. */
export const initCommand = {
  needsNames: 'The first person needs an address, a first and a last name.',
  needsPerson: '--role needs a person.',
  secrets:
    "# The secrets of this installation: one NAME=value a line; a value with spaces in 'quotes'.",
  config: '# Everything that is no secret:',
  rest: '# Further secrets, where they are needed:',
  top: '// The settings of this installation that are no secrets. A line that is off shows its default. docs/configuration.md',
  secretWritten: 'Written: {file}, the secret of this installation. Keep a copy of it.',
  settingsWritten: 'Written: {file}.',
  fillIn: 'Fill these in, then run the same command again:',
  migrated: 'The database is up to date. Applied: {count}.',
  noName: 'Subtenant {id} needs a name: --name "Your organization"',
  subtenantAdded: 'Subtenant {id} is added: {name}.',
  subtenantThere: 'Subtenant {id} is there.',
  invited: '{email} is invited as {id}, with role {roles}. The mail leaves when a server runs.',
  personThere: '{email} has an account.',
  asking:
    'These settings only you know. Enter leaves one for later; porchlight.json and porchlight.env have them all.',
  questions: {
    PORCHLIGHT_PUBLIC_URL: 'The address that people use, such as https://login.example.org',
    TRUSTED_PROXIES:
      'The address from which the TLS proxy reaches this server, such as 127.0.0.1; none if there is none',
    DATABASE_URL: 'The database, such as postgres://porchlight:password@localhost:5432/porchlight',
    SMTP_URL: 'The mail server, such as smtps://user:password@mail.example.org',
    MAIL_FROM: 'The sender of mails, such as Rosewood <no-reply@example.org>',
    PORCHLIGHT_HELP_PHONE: 'The phone number of your help desk, such as +1 555 010 0123',
    PORCHLIGHT_HELP_EMAIL: 'The address of your help desk, such as help@example.org',
  },
  askName: 'The name of your organization',
  askPerson:
    'Who operates the portal first? Email, first and last name, such as nora@example.org Nora Lind',
  operator: '{email} opens /console as an operator: {grant} in {file}.',
  noOperator:
    'Nobody opens /console yet: put {grant} into console.operators of porchlight.json. See docs/operations/help-desk.md.',
  next: 'Now: porchlight serve --settings {file}',
} as const;
