/**
 * What each setting means, by its name in the environment: in docs/configuration.md, in the published schema of
 * `porchlight.json` and in the file that `porchlight init` writes.
 */

type SettingText = {
  readonly meaning: string;
  /** Where the table of settings has no default of its own. */
  readonly otherwise?: string;
};

export const settingSections = {
  server: 'Where it listens, and what stands in front of it',
  database: 'PostgreSQL, or the embedded database of a demo',
  keys: 'The secret of this installation, and signing keys',
  mail: 'How mails leave',
  sms: 'How texts leave: by Twilio, or by a webhook of your own',
  whatsApp: 'WhatsApp by Twilio',
  voice: 'How calls that say a code are made, and to where',
  receipts: 'What is reported about messages',
  crm: 'Where leads go',
  events: 'Where events of accounts go: operations/events.md',
  hostedLogin: 'A real Auth0 tenant in place of the embedded hosted login: hosted-login.md',
  oauth: 'What applications may do',
  signIn: 'Ways to sign in besides password and code',
  timers:
    'How long sessions and links are good for, and what is over is kept: shorter as you like, never longer',
  captcha: 'The invisible security check',
  portal: 'What people see',
  help: 'Whom visitors can turn to',
  console: 'Who helps people at /console: operations/help-desk.md',
  audit: 'The audit log',
  metrics: 'Figures for Prometheus',
  traces: 'Traces for OpenTelemetry: operations/traces.md',
} as const;

export const settings = {
  PORCHLIGHT_MODE: { meaning: '`demo` or `production`' },

  HOST: {
    meaning: 'where to listen; `127.0.0.1`: only this machine comes in, `0.0.0.0`: all',
  },
  PORT: { meaning: 'the port to listen at' },
  PORCHLIGHT_PUBLIC_URL: {
    meaning:
      'the origin people use, like `https://login.example.org`: no path, no query; production: https',
    otherwise: '`http://localhost:<port>`',
  },
  TRUSTED_PROXIES: {
    meaning:
      'addresses or networks (`10.0.0.0/8`, `loopback`) whose `X-Forwarded-For` is believed. `none` says that visitors come directly. Production asks for one of both. Behind a proxy that is not named all visitors share its address and its limits',
    otherwise: 'demo: none',
  },
  PORCHLIGHT_DRAIN_SECONDS: {
    meaning: 'how long a server that was told to stop serves on while it says that it is not ready',
    otherwise: '`0`; production `5`',
  },
  LOG_LEVEL: { meaning: '`fatal` to `debug`, or `silent`', otherwise: '`warn`; production `info`' },

  DATABASE_URL: {
    meaning:
      'PostgreSQL 15 to 18, for example `postgres://porchlight:password@db.example.org/porchlight`. Without it the embedded PGlite is used (demo only). Several hosts as libpq has it: `postgres://one:5432,two:5432/name?target_session_attrs=read-write`; connections lead to the one that is writable. With a password it stands in the environment alone',
  },
  PORCHLIGHT_DATABASE_POOL: {
    meaning:
      'connections to PostgreSQL that one instance opens at most. All instances together must fit into its `max_connections`',
  },
  PORCHLIGHT_DATA_DIR: {
    meaning: 'the embedded database and the secret of a demo; locked by one process',
  },

  PORCHLIGHT_SECRET: {
    meaning:
      'at least 32 random characters (`openssl rand -base64 48`); every key of the server comes from it',
    otherwise: 'demo: made at first start',
  },
  PORCHLIGHT_SECRET_FILE: {
    meaning:
      'a file that holds the secret, instead of `PORCHLIGHT_SECRET`. Sessions, stored keys and waiting messages depend on it: keep a copy',
  },
  PORCHLIGHT_PREVIOUS_SECRETS: {
    meaning:
      'secrets that are still read but no longer written with, comma-separated; a JSON array if one has a comma',
  },
  PORCHLIGHT_KEY_ROTATION_DAYS: {
    meaning: 'age at which a signing key gets its successor, in days',
  },

  SMTP_URL: {
    meaning:
      'mail transport, for example `smtps://user:password@mail.example.org`. Without it a demo keeps mails in `/dev/inbox`. `smtp://` is upgraded to TLS or not used, except on this machine. With a password it stands in the environment alone',
  },
  MAIL_FROM: {
    meaning: 'who the mails are from, for example `Rosewood <no-reply@example.org>`',
    otherwise: 'demo values; production needs its own',
  },
  MAIL_ENVELOPE_FROM: {
    meaning: 'the address that returned mail goes to',
    otherwise: 'that of `mail.from`',
  },
  MAIL_DKIM_DOMAIN: { meaning: 'the domain that signs mails (DKIM); all three together' },
  MAIL_DKIM_SELECTOR: { meaning: 'the name of the key in the DNS of that domain' },
  MAIL_DKIM_KEY_FILE: { meaning: 'the private key, a PEM file' },

  SMS_WEBHOOK_URL: {
    meaning:
      'SMS and WhatsApp by a signed webhook of your own instead of Twilio; https, except on this machine',
  },
  SMS_WEBHOOK_KEY: { meaning: 'at least 16 characters; signs what the webhook gets' },
  TWILIO_ACCOUNT_SID: { meaning: 'SMS by Twilio: the account, `AC` and 32 hex digits' },
  TWILIO_AUTH_TOKEN: {
    meaning: 'what proves to Twilio that it is us, and to us that it is Twilio',
  },
  TWILIO_FROM: { meaning: 'a number, or a messaging service (`MG…`)' },
  TWILIO_API_URL: { meaning: 'another region of Twilio' },
  TWILIO_WHATSAPP_FROM: { meaning: 'a number that may send WhatsApp messages' },
  TWILIO_WHATSAPP_CONTENT_SID: {
    meaning: 'the approved template for codes, `HX` and 32 hex digits',
  },
  SMS_COUNTRIES: {
    meaning: 'ISO codes of the countries that texts go to; the first is home',
    otherwise: '`portal.countries`; production, if that is empty: `US`',
  },
  TWILIO_VOICE_FROM: {
    meaning:
      'a number of yours at Twilio that calls people with their code; needs an https address',
  },
  VOICE_WEBHOOK_URL: {
    meaning: 'calls by a signed webhook of your own instead of Twilio; needs `RECEIPTS_KEY`',
  },
  VOICE_WEBHOOK_KEY: { meaning: 'at least 16 characters; signs what the webhook of calls gets' },
  VOICE_COUNTRIES: {
    meaning: 'ISO codes of the regions that are called; the dial code alone opens none',
    otherwise: 'the first of `sms.countries`; a demo without a provider: all',
  },
  VOICE_DAILY_LIMIT: { meaning: 'calls a day' },
  SMS_DAILY_LIMIT: {
    meaning:
      'texts a day; every dial code but that of home gets a fifth of it, sign-ups get half of each',
  },
  RECEIPTS_KEY: {
    meaning: 'at least 16 characters; signs what the webhook, or your mail, reports about messages',
  },

  CRM_URL: {
    meaning:
      'where leads go; without it a demo keeps them in `/dev/leads.json`; https, except on this machine',
  },
  CRM_KEY: { meaning: 'what the CRM asks for' },
  CRM_TAG: { meaning: 'the tag of a new lead' },
  PORCHLIGHT_EVENTS_URL: { meaning: 'where events of accounts are posted; in production https' },
  PORCHLIGHT_EVENTS_SECRET: {
    meaning:
      'the key that signs them: `whsec_` and 24 to 64 random bytes in base64 (`echo whsec_$(openssl rand -base64 32)`)',
  },
  PORCHLIGHT_LEAD_DAYS: { meaning: 'how many days leads are kept while there is no CRM' },

  PORCHLIGHT_HOSTED_LOGIN_DOMAIN: {
    meaning: 'where browsers reach the tenant, best a custom domain on the site of the portal',
  },
  PORCHLIGHT_HOSTED_LOGIN_TENANT_DOMAIN: {
    meaning: 'the address of the tenant itself, when browsers use a custom domain',
    otherwise: '`hostedLogin.domain`',
  },
  PORCHLIGHT_HOSTED_LOGIN_ISSUER: {
    meaning: 'what stands in tokens as `iss`',
    otherwise: '`hostedLogin.domain`',
  },
  PORCHLIGHT_HOSTED_LOGIN_CLIENT_ID: { meaning: 'the application for the portal' },
  PORCHLIGHT_HOSTED_LOGIN_REALM: { meaning: 'the database connection that holds the passwords' },
  PORCHLIGHT_HOSTED_LOGIN_AUDIENCE: { meaning: 'the API that sign-in asks for' },
  PORCHLIGHT_HOSTED_LOGIN_ORGANIZATION: { meaning: 'the organization that people sign in to' },
  PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_ID: {
    meaning: 'the application for the backend, which looks after accounts and passwords',
  },
  PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET: {
    meaning: 'the secret of the application for the backend',
  },

  PORCHLIGHT_MODULES_FILE: {
    meaning:
      'the modules, as a list or the name of a file with it; a demo plays those that are missing',
  },
  PORCHLIGHT_CLIENTS_FILE: { meaning: 'clients, as a list or the name of a file with it' },
  PORCHLIGHT_APIS_FILE: {
    meaning: 'APIs with their scopes, as a list or the name of a file with it',
  },
  PORCHLIGHT_DEFAULT_AUDIENCE: { meaning: 'the API of a request that names no `audience`' },
  PORCHLIGHT_PASSWORD_GRANT: {
    meaning:
      'clients with the grant `password` may send passwords to `/oauth/token` (RFC 9700 advises against it); the code is asked for all the same',
  },

  PORCHLIGHT_APP_CODES: {
    meaning:
      'people may set up codes from an app (TOTP) in place of mailed ones. Switched off, apps that are set up are still asked for: mail never replaces them. None with an Auth0 tenant',
    otherwise: '`true` in a demo, else `false`',
  },
  PORCHLIGHT_KEYS: {
    meaning:
      'people may save a key on their device and sign in by it (passkeys). None with an Auth0 tenant or at an IP address',
  },
  PORCHLIGHT_KEYS_AUTOMATIC: {
    meaning:
      'the browser may save a key by itself after a sign-in by password and code, where it can; the person is told by mail',
  },
  PORCHLIGHT_RP_ID: {
    meaning:
      'the domain that devices keep keys for: the host of the public address, or a parent domain that is yours alone. Keys do not survive another one',
    otherwise: 'the host of the public address',
  },
  PORCHLIGHT_RP_ID_CHANGE: {
    meaning:
      '`accept` starts with another domain than that of the keys on record, which then no longer work',
  },

  PORCHLIGHT_LIMITS: {
    meaning: 'numbers of your own: `max` times in `minutes`; in the environment as JSON',
  },
  PORCHLIGHT_SESSION_IDLE_MINUTES: {
    meaning:
      'minutes without a call after which a session ends, at the portal and the hosted login',
  },
  PORCHLIGHT_STAFF_IDLE_MINUTES: {
    meaning: 'the same of staff at the portal; never longer than `timers.sessionIdleMinutes`',
  },
  PORCHLIGHT_SESSION_HOURS: {
    meaning:
      'hours after the sign-in at which a session ends, however busy; then password and code again',
  },
  PORCHLIGHT_RESET_LINK_MINUTES: {
    meaning: "minutes that the link of 'Forgot Password?' works; its mail says so",
  },
  PORCHLIGHT_ACTIVATION_LINK_HOURS: {
    meaning:
      'hours that the mailed link of a sign-up works; its mail says so. A ticket of the Management API has the time that its program asks for',
  },
  PORCHLIGHT_INVITATION_DAYS: {
    meaning: 'days that the link of `porchlight user invite` works; its mail says so',
  },
  PORCHLIGHT_UNPROVEN_DAYS: {
    meaning:
      'days after which a sign-up that nobody proved is deleted, and its address is free again',
  },
  PORCHLIGHT_MESSAGE_DAYS: {
    meaning:
      'days that the outbox keeps what was sent, and dead letters, and what became of messages',
  },
  PORCHLIGHT_ENUMERATION: {
    meaning:
      '`balanced`: truthful answers about addresses, capped per visitor, then alike; `strict`: never, the mail tells instead; `off`: demo tests only',
  },
  PORCHLIGHT_CAPTCHA: {
    meaning: '`pressure`: after failures and under pressure; `always`: to see it in a demo',
  },
  PORCHLIGHT_CAPTCHA_WORK: {
    meaning:
      'how much work it is, in derivations of 5,000 rounds: 100 take 0.1 to 0.3 s on a computer and about 1 s on a slow phone',
  },

  PORCHLIGHT_COUNTRIES: {
    meaning: 'ISO codes of the countries people may register from',
    otherwise: 'all',
  },
  PORCHLIGHT_LANGUAGES: {
    meaning:
      'the languages of pages and mails, for example `en` to switch Spanish off. English stays in any case',
    otherwise: 'all',
  },
  PORCHLIGHT_MAIN_IMAGE_MODE: {
    meaning: 'side banner at the end (1), at the start (2), none (3)',
  },
  PORCHLIGHT_STEP_GAP_MS: {
    meaning:
      'milliseconds between the five steps before a module opens: at least 300, less in a demo only',
  },
  PORCHLIGHT_FULL_WIDTH_PATHS: { meaning: 'more paths without the side banner' },
  PORCHLIGHT_LOGOS_DIR: {
    meaning: 'a directory of logos of your own, read at the start: "Subtenants and their logos"',
  },
  PORCHLIGHT_TIME_ZONE: {
    meaning:
      'the zone whose clock mails tell, by its IANA name, for example `America/New_York`; the zone is named beside the time',
    otherwise: 'mails tell no clock time',
  },
  PORCHLIGHT_HELP_PHONE: {
    meaning: 'shown on the help page, beside refusals and in mails',
    otherwise: 'demo values; production needs its own',
  },
  PORCHLIGHT_HELP_EMAIL: {
    meaning: 'shown on the help page, beside refusals and in mails',
    otherwise: 'demo values; production needs its own',
  },
  PORCHLIGHT_HELP_HOURS: {
    meaning:
      'when the phone is answered, for example `Mon-Fri 8:00-18:00, Sat 9:00-12:00`. The lamp of every page is lit in these hours. Needs `PORCHLIGHT_TIME_ZONE`',
    otherwise: 'pages tell no hours, and the lamp is always lit',
  },

  PORCHLIGHT_CONSOLE_HELP_DESK: {
    meaning:
      'who helps people at `/console`: roles of a subtenant, for example `742:3`, or accounts by their ids, for example `account:17`: operations/help-desk.md',
    otherwise: 'nobody; a demo `742:3`',
  },
  PORCHLIGHT_CONSOLE_OPERATORS: {
    meaning:
      'who helps everybody at `/console`, exports and erases: in the words of the one above. Who is in both is an operator',
    otherwise: 'nobody; a demo `742:4`',
  },

  PORCHLIGHT_AUDIT_DAYS: { meaning: 'how many days the audit log is kept' },
  PORCHLIGHT_METRICS_TOKEN: {
    meaning: 'at least 32 characters; with it `GET /metrics` answers',
  },

  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      'a collector that takes OTLP by HTTP, for example `http://collector:4318`. Traces go to `v1/traces` below it; without an address there are none',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    meaning: 'the whole address for traces, instead of the one above',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning:
      'headers with the key of the collector: `name=value`, separated by commas, percent-encoded; needs https, except on this machine',
  },
  OTEL_SERVICE_NAME: { meaning: 'the name of this service in traces' },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'which share of the traces that begin here is sent, for example `0.1`',
  },
} as const satisfies Readonly<Record<string, SettingText>>;
