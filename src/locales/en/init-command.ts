/** What an operator reads of `porchlight init`, and the comments in the file that it writes. */
export const initCommand = {
  top: "# The settings of this installation: one NAME=value a line; a value with spaces in 'quotes'.",
  rest: '# Everything else, with its default: docs/configuration.md',
  needed: {
    PORCHLIGHT_MODE: 'demo, or production',
    PORCHLIGHT_SECRET_FILE:
      'Sessions, stored keys and waiting messages depend on it: keep it, and keep a copy.',
    HOST: 'Where to listen. 127.0.0.1: only a proxy on this machine comes in.',
    PORCHLIGHT_PUBLIC_URL: 'The address people use: https://login.example.org',
    DATABASE_URL: 'postgres://porchlight:password@db.example.org/porchlight',
    SMTP_URL: 'smtps://user:password@mail.example.org',
    MAIL_FROM: "Who mails are from: 'Rosewood <no-reply@example.org>'",
    TRUSTED_PROXIES: 'The addresses of the proxies in front, or none',
    PORCHLIGHT_HELP_PHONE: "Whom visitors can call: '+1 555 010 0123'",
    PORCHLIGHT_HELP_EMAIL: 'Whom visitors can write to',
    PORCHLIGHT_MODULES_FILE: 'The apps people are handed to: docs/configuration.md, "Modules"',
  },
  secretWritten: 'Written: {file}, the secret of this installation. Keep a copy of it.',
  settingsWritten: 'Written: {file}.',
  fillIn: 'Fill these in, then run the same command again:',
  migrated: 'The database is up to date. Applied: {count}.',
  noName: 'Subtenant {id} needs a name: --name "Your organization"',
  subtenantAdded: 'Subtenant {id} is added: {name}.',
  subtenantThere: 'Subtenant {id} is there.',
  invited: '{email} is invited as {id}, with role {roles}. The mail leaves when a server runs.',
  personThere: '{email} has an account.',
  next: 'Now: porchlight serve --settings {file}',
} as const;
