// The folders of src/server, as data: tools/boundaries.ts turns the order into lint rules, and docs/architecture.md
// shows this list to people (tools/boundaries.test.ts compares them).

/**
 * What a folder may import of those before it in the list.
 * - `base`: values and types.
 * - `feature`: values and types of the base, only types of other features; `wiring` hands it their objects.
 * - `subject`: values and types. A feature may name a type of a subject, as what it is handed.
 * - `top`: values and types; no folder of another kind imports it.
 */
export type FolderKind = 'base' | 'feature' | 'subject' | 'top';

type ServerFolder = {
  /** Its path below src/server. */
  readonly name: string;
  readonly kind: FolderKind;
  /** What is in it, in Markdown. */
  readonly holds: string;
};

/** From low to high: a folder imports no value of a folder after it, so that no two import each other. */
export const SERVER_FOLDERS = [
  {
    name: 'core',
    kind: 'base',
    holds:
      'what every folder takes: the clock, the contexts (`context.ts`; of the folders after it only types), cookies, IP addresses, periodic tasks, findings of a check',
  },
  {
    name: 'config',
    kind: 'base',
    holds:
      'settings from the environment and files, parsed once at the start; the numbers of all rate limits (`limits.ts`), also those of staff, such as invitations a day; the tries of one code are in `domain/proofs/`',
  },
  {
    name: 'db',
    kind: 'base',
    holds: 'the connection, its time limits, migrations, the schema as types',
  },
  {
    name: 'crypto',
    kind: 'base',
    holds: 'secret box (HMAC and encryption under the configured secret) and signing keys',
  },
  {
    name: 'accounts',
    kind: 'base',
    holds:
      'the stores of accounts and registrations: status, roles, proven contacts; also what features read of contact changes, changes by staff and helpers ([decision 245](decisions/sources.md#245-the-servers-folders-by-subject)); the list of a person’s data (`personal-data.ts`)',
  },
  {
    name: 'audit',
    kind: 'base',
    holds: 'the audit log: its events, chain, sealing, check and report',
  },
  {
    name: 'jobs',
    kind: 'base',
    holds: 'the outbox, circuit breakers, dead letters, clean-up, periodic work',
  },
  {
    name: 'http',
    kind: 'base',
    holds:
      'the HTTP server, its headers, errors, health, traces, the cookie of a visit, and the forgery check of calls (`csrf.ts`); that of forms is decided in `ssr/pages.ts` and `staff-console/console.routes.ts`, by the token of `visit-cookie.ts`',
  },
  {
    name: 'abuse',
    kind: 'base',
    holds: 'counting against the rate limits, proof of work, the guard against enumeration',
  },
  {
    name: 'subtenants',
    kind: 'feature',
    holds: 'the organizations, with their names and logos',
  },
  { name: 'leads', kind: 'feature', holds: 'people who asked for a call, for a CRM' },
  { name: 'catalog', kind: 'feature', holds: 'countries, survey, public settings' },
  {
    name: 'proofs/authenticator',
    kind: 'feature',
    holds:
      'codes of an authenticator app and recovery codes, with their store (`access/authenticator.ts` sets an app up and takes it away)',
  },
  {
    name: 'proofs/otp',
    kind: 'feature',
    holds:
      'one-time codes: their recipients, sending, check and replacement, and the calls that say one',
  },
  {
    name: 'notifications',
    kind: 'feature',
    holds:
      'mails, SMS and WhatsApp messages, calls that say a code, and their delivery by the outbox: `notifications.ts` queues each message, `templates.ts` is the table of mails, `compose-message.ts` lays one out',
  },
  { name: 'proofs/passkeys', kind: 'feature', holds: 'passkeys: making, using, and offering one' },
  {
    name: 'identity-provider/port',
    kind: 'feature',
    holds: 'the files of `identity-provider/` itself: the port of both implementations',
  },
  { name: 'sign-up', kind: 'feature', holds: 'the form, its check, activation and promo codes' },
  {
    name: 'proofs/password',
    kind: 'feature',
    holds: 'hashing, guessable passwords, and the reset by a mailed link',
  },
  {
    name: 'sign-in',
    kind: 'feature',
    holds: 'sign-in attempts, the check of a password, sessions, and the step of a visit',
  },
  {
    name: 'hand-off',
    kind: 'feature',
    holds: 'the signed hand-off to modules, their sign-out notices, and the check of a module',
  },
  {
    name: 'identity-provider/oauth-clients',
    kind: 'feature',
    holds: 'other applications: registry, consent, interactions, back-channel logout',
  },
  {
    name: 'identity-provider/auth0-tenant',
    kind: 'feature',
    holds: 'the port for an Auth0 tenant of the operator',
  },
  {
    name: 'identity-provider/embedded',
    kind: 'feature',
    holds:
      'the port for the hosted login in this process; `managed-users.ts` is what the Management API (`openid-provider/auth0/management/`) does to our accounts',
  },
  { name: 'metrics', kind: 'feature', holds: 'Prometheus' },
  {
    name: 'ssr',
    kind: 'feature',
    holds: 'pages rendered on the server, each with its content security policy (`page-policy.ts`)',
  },
  {
    name: 'access',
    kind: 'subject',
    holds:
      'how a person gets in and what ends it: fresh proofs, open sessions and every end of one, by sign-out, new password or suspension (`sessions.ts`), passkeys, app codes, unlocking, the last operator; each act one transaction with its audit event',
  },
  {
    name: 'forms',
    kind: 'subject',
    holds:
      'what plain forms share: `account-page.ts` answers each form of My account (when it asks for a fresh proof, where a refusal is said), `step-up.ts` is the code that it asks for',
  },
  {
    name: 'contacts',
    kind: 'subject',
    holds:
      'changes of an address or number by the person or by staff, their proof and undo: operations, pages and mailed links. `change-contact.ts` changes and undoes, `staff-changes.ts` asks for a change by staff, which waits 72 hours, and `apply-staff-change.ts` makes it',
  },
  { name: 'helpers', kind: 'subject', holds: 'trusted helpers: operations, pages, reminders' },
  {
    name: 'counter',
    kind: 'subject',
    holds:
      'browsers in counter mode (shared devices): `shared-devices.ts` says whether a browser is one, `devices.ts` is the store. `domain/people/counter-mode.ts` has its times and pages; other limits of such a browser stand where `isShared` or `closedModulesFor` is asked',
  },
  {
    name: 'people',
    kind: 'subject',
    holds:
      'what is done to an account: add, invite, suspend, change, close, open a page code, export and erase (`privacy/`); each act one transaction with its audit event, for the command line, too',
  },
  {
    name: 'organisations',
    kind: 'subject',
    holds:
      'organisations whose people sign in by a provider of their own: the store, the sign-in over there, links to accounts. Rows of links are in `accounts/organisation-links.ts`, which sessions read',
  },
  {
    name: 'my-account',
    kind: 'subject',
    holds: "a signed-in person's own pages: what they show, and their forms",
  },
  {
    name: 'staff-console',
    kind: 'subject',
    holds:
      'the server’s side of `src/console/` (`console.routes.ts` has the addresses, but those inside an area); `people/` has the search, a person’s page and its verbs, `areas/` the operators’ lists and forms',
  },
  { name: 'demo', kind: 'top', holds: 'the parts that only a demo has' },
  {
    name: 'wiring',
    kind: 'top',
    holds:
      'assembly: `serve.ts` starts and stops, `parts.ts` is the list of the parts, each made of those before it, `api.ts` installs the calls, `tasks.ts` has what runs by itself, `command-context.ts` gives a command its messages',
  },
  {
    name: 'testing',
    kind: 'top',
    holds: 'what tests share; `system/` has tests of the whole server',
  },
] as const satisfies readonly ServerFolder[];

type FolderOf<Kind extends FolderKind> = Extract<
  (typeof SERVER_FOLDERS)[number],
  { readonly kind: Kind }
>['name'];

/** Returns the names of the folders of a kind, from low to high. */
export const foldersOf = <Kind extends FolderKind>(kind: Kind): readonly FolderOf<Kind>[] =>
  SERVER_FOLDERS.flatMap((folder) => (folder.kind === kind ? [folder.name as FolderOf<Kind>] : []));

/** Returns the list as the table of docs/architecture.md. */
export const folderTable = (): string =>
  [
    '| Folder | Kind | What is in it |',
    '|---|---|---|',
    ...SERVER_FOLDERS.map(({ name, kind, holds }) => `| \`${name}\` | ${kind} | ${holds} |`),
  ].join('\n');
