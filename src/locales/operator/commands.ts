/** What the command line says of itself; `docs/operations/commands.md` is written from this table. */
export const commands = {
  intro: 'porchlight: runs an installation of Porchlight and looks after it.',
  overview: 'Usage: porchlight VERB [WORDS]',
  more: 'porchlight help VERB tells more of each, with an example.',
  every:
    'Every verb takes --help and --json. With --json a list is one JSON object a line, and anything else one object. A refusal is one object on the error stream.',
  exits: 'Exit codes: 0 done, 1 refused or a fault was found, 2 wrong usage.',
  settings:
    'The settings are read from the environment. Before it comes the file that --settings FILE names, or porchlight.env of the working directory. Before both, porchlight.json is read, of the working directory or where PORCHLIGHT_CONFIG says. With PostgreSQL every verb works beside running servers; the embedded database belongs to one process.',
  noSettings: '--settings needs the name of a file.',
  noWord: 'There is no {word} here.',
  noOption: 'There is no option {option} here.',
  valueMissing: '{option} needs a value.',
  noValue: '{option} takes no value.',
  badSettings: '{file} cannot be read: {reason}',
  usage: 'Usage:',
  moreOf: 'More: porchlight help {name}',
  example: 'Example:',
  json: 'With --json:',
  noVerb: 'There is no verb {name}. {guess}porchlight --help lists them all.',
  progress: '{count} {unit} {percent}',
  guess: 'Did you mean {name}? ',
} as const;

type VerbText = {
  readonly summary: string;
  /** Each line begins with the words that are typed as they stand. */
  readonly usage: readonly string[];
  readonly notes?: readonly string[];
  readonly example: string;
  /** What `--json` prints. */
  readonly json: string;
};

export const verbs = {
  init: {
    summary: 'sets up a first production in one go; what is there stays as it is',
    usage: ['init [EMAIL FIRST LAST [--role ROLE]...] [--name NAME] [--academy NAME]'],
    notes: [
      'It writes porchlight.secret, porchlight.json (settings) and porchlight.env (secrets), for you alone to read. It says what to fill in there; --settings names another file.',
      'Run again, it brings the database up to date and adds subtenant 742 (NAME), with --academy also 3. It invites the first person by mail, with role 3 unless another is named.',
    ],
    example: "init nora@example.org Nora Lind --name 'Rosewood Senior Living'",
    json: '{file, applied, subtenants, person}, or {file, faults}; subtenants: {id, isAdded}; person: {email, isInvited}, or null',
  },
  serve: {
    summary: 'serves the portal, its API and the hosted login',
    usage: ['serve [--no-migrate]'],
    notes: [
      'SIGTERM, once or several times, ends it with 0: it says "not ready" for PORCHLIGHT_DRAIN_SECONDS, finishes what is under way, and stops.',
      'It brings the database up to date; another instance that starts meanwhile waits. With --no-migrate it refuses while migrations wait.',
      'As process 1 of a container, or under a supervisor, start node tools/porchlight.mjs serve: npm and npx end before the server has drained.',
    ],
    example: 'serve --no-migrate',
    json: 'nothing of its own: the lines of the log',
  },
  migrate: {
    summary: 'brings the database up to date, and says by what',
    usage: ['migrate [--status]'],
    notes: [
      'Migrations have no time limit. --status changes nothing, and exits with 1 while migrations wait.',
    ],
    example: 'migrate --status',
    json: '{applied}; --status: {applied, pending}',
  },
  backup: {
    summary: 'writes everything that the database holds into a file for you alone',
    usage: ['backup FILE'],
    notes: [
      'With PostgreSQL it runs pg_dump, beside running servers. That may not be older than the database server. The embedded database belongs to one process: stop the server first.',
      'A file that is there stays as it is. PORCHLIGHT_SECRET is in no backup, and without it the keys in a backup open nothing. docs/operations/backup.md.',
    ],
    example: 'backup porchlight-2026-11-22.backup',
    json: '{file, bytes, sha256, isTold}',
  },
  restore: {
    summary: 'puts a backup into an empty database, brings it up to date, signs everybody out',
    usage: ['restore FILE [--replace]'],
    notes: [
      'Stop all instances first. --replace takes what is in the database away, once the restore has worked.',
      'No session, code, link or token of before the backup works afterwards, and none is mailed any more. Until that is done no server starts on the database.',
      'FILE may also be one of pg_dump --format=custom. Whoever restores with other tools runs sessions end --all before the first server starts.',
    ],
    example: 'restore porchlight-2026-11-22.backup',
    json: '{file, sha256, applied, ended, isSecretMissing}; ended counts rows by table',
  },
  sessions: {
    summary: 'signs everybody out and ends every code, link and token',
    usage: ['sessions end --all'],
    notes: [
      'For a database that was restored with other tools, before a server starts on it. Also when a copy of the database is in wrong hands. Accounts, passwords and roles stay.',
    ],
    example: 'sessions end --all',
    json: '{ended}: rows by table',
  },
  config: {
    summary:
      'checks the settings and the files they name, without the network; prints their schema',
    usage: ['config check', 'config schema'],
    notes: [
      'A fault keeps a server from starting; a warning does not. doctor adds what needs the network.',
      'schema prints what porchlight.json may hold, as JSON Schema.',
    ],
    example: 'config check',
    json: '{faults, warnings}, each a list of sentences; schema: the schema',
  },
  doctor: {
    summary: 'looks for what is amiss in a running installation; changes nothing',
    usage: ['doctor [--mail EMAIL]'],
    notes: ['--mail sends a real mail to that address.'],
    example: 'doctor --mail you@example.org',
    json: '{check, state, what, mend} a line; state is ok, warning or fault',
  },
  subtenant: {
    summary: 'lists, checks, adds, changes, closes and opens subtenants',
    usage: [
      'subtenant list',
      'subtenant check',
      'subtenant add ID NAME [--logo /logos/FILE] [--accent #RRGGBB]',
      'subtenant set ID [--name NAME] [--logo /logos/FILE] [--accent #RRGGBB | --accent none]',
      'subtenant close ID',
      'subtenant open ID',
    ],
    notes: [
      '742 is the default, 3 the academy. A closed one takes nobody in; its people keep their accounts.',
      'check looks at the default, logos and accents, as doctor does. Earlier releases called this verb tenant; that name still works.',
    ],
    example: "subtenant add 742 'Rosewood Senior Living' --accent '#1F5FA8'",
    json: 'list: {id, name, logoPath, accent, isOpen} a line; check: as doctor; else {id}',
  },
  user: {
    summary: "adds accounts and looks after them; a person's data, and its end",
    usage: [
      'user show EMAIL|ID',
      'user add EMAIL FIRST LAST [--role ROLE]... [--phone NUMBER] [--subtenant ID]',
      'user invite EMAIL [FIRST LAST] [--role ROLE]... [--phone NUMBER] [--subtenant ID]',
      'user list [--role ROLE] [--subtenant ID] [--status active|pending|inactive] [--count N]',
      'user find TEXT [--count N]',
      'user set EMAIL|ID [--first NAME] [--last NAME] [--email ADDRESS] [--phone NUMBER|none] [--subtenant ID]',
      'user unlock EMAIL|ID',
      'user roles EMAIL|ID [--give ROLE]... [--take ROLE]...',
      'user suspend EMAIL|ID',
      'user resume EMAIL|ID',
      'user sessions EMAIL|ID',
      'user sign-out EMAIL|ID [--session SESSION]',
      'user export EMAIL|ID',
      'user erase EMAIL|ID --yes',
      'user import FILE|- [--format csv|ndjson|auth0|keycloak] [--dry-run] [--trust-proof] [--role ROLE]... [--subtenant ID] [--report FILE]',
    ],
    notes: [
      "A new account has no password: its person sets one by the mail of 'Forgot Password?'. Without --role it is a member's. ROLE is a number or a name, such as 4 or Admin.",
      'invite adds an account, too, and mails a link that sets the password. By the address alone it mails a new link.',
      'find looks for TEXT in names, addresses and numbers. set changes what its options name; a new address or number has to be proven anew.',
      'list prints the newest accounts, 100 unless --count says so. unlock forgets the wrong passwords and codes of one account, and what was sent to it.',
      'sessions lists where somebody is signed in: roughly which browser, and the network. sign-out ends all of them, or one, and tells modules and applications. An Auth0 tenant keeps its own.',
      'export prints everything that is kept about a person; erase deletes it, for good.',
      'import takes people over from other systems, with their password hashes; a second run adds what is missing. docs/operations/import.md.',
    ],
    example: 'user add nora@example.org Nora Lind --role 3',
    json: 'list, find: {id, email, name, status, subtenantId, roles} a line; set: {id, changed}; unlock, sign-out: {id, count}; sessions: {id, startedAt, seenAt, browser, network, entrance, clients} a line; show, export: the account; erase: {id, erased, hostedUserId, linked}; import: {file, isDryRun, sha256, counts, faults, lines, weakLines, rolesLeftOut}; else {id}',
  },
  promo: {
    summary: "lists and saves the academy's promo codes",
    usage: ['promo list', 'promo add CODE [--until YYYY-MM-DD] [--uses NUMBER]'],
    notes: [
      'Codes are 4 to 32 letters, digits and hyphens. Without a day or a number there is no end or no cap.',
    ],
    example: 'promo add SPRING-30 --until 2027-01-31 --uses 50',
    json: 'list: {code, validUntil, maxUses, used} a line; add: {code}',
  },
  support: {
    summary: 'tells why somebody cannot sign in, and what happened: requests, refusals, messages',
    usage: ['support REFERENCE|EMAIL|ID'],
    notes: [
      'For an account the first lines say why its person cannot sign in, and what mends it.',
      'REFERENCE is the request id that an error page shows. An event says why something was refused; a message says whether it was sent and delivered.',
    ],
    example: 'support margaret@example.org',
    json: '{at, what, outcome, reason, request, details} a line',
  },
  explain: {
    summary: 'tells where roles lead after sign-in, and by which requirement',
    usage: ['explain route --role ROLE... [--entrance portal|legalStaff] [--subtenant ID]'],
    notes: ['The subtenant changes nothing about the route.'],
    example: 'explain route --role 9 --role 5',
    json: '{destination, rule, choices}',
  },
  leads: {
    summary: 'lists, sends and deletes leads that were kept while there was no CRM',
    usage: ['leads list', 'leads resend KEY|all', 'leads purge KEY|all --yes'],
    notes: [
      'list prints key, moment, name and address. Leads of other installations are sent at once and are not here.',
    ],
    example: 'leads resend all',
    json: 'list: {key, receivedAt, lead} a line; else {count}',
  },
  limits: {
    summary: 'lists what is counted at present; lets a limit begin anew for everybody',
    usage: ['limits list', 'limits clear NAME'],
    notes: [
      'Whose counts they are nobody can tell: they have keyed hashes for names. One account: user unlock.',
    ],
    example: 'limits clear signUpPerIp',
    json: 'list: {name, max, minutes, counted, full} a line; clear: {limit, count}',
  },
  survey: {
    summary: "exports the answers to 'How did you hear about us?' as CSV",
    usage: ['survey export [--out FILE]'],
    notes: [
      'FILE is new, and can be read by you alone. A cell that a spreadsheet would run begins with an apostrophe.',
    ],
    example: 'survey export --out answers.csv',
    json: 'an answer a line, by the names of the columns; with --out {file, count}',
  },
  client: {
    summary: 'lists, adds, changes and removes applications that sign people in here',
    usage: [
      'client list',
      'client show ID',
      'client add FILE',
      'client set FILE',
      'client rotate-secret ID',
      'client remove ID',
    ],
    notes: [
      'Those of PORCHLIGHT_CLIENTS_FILE are not listed. FILE holds one client as docs/clients.md shows it.',
      'set puts the file in the place of what is there; without a secretHash the secret stays.',
    ],
    example: 'client add garden-club.json',
    json: 'list: {id, name, firstParty, auth} a line; show: the client; else {id}, with the secret where one was made',
  },
  module: {
    summary: 'lists and adds modules; plays the portal against one, and says what it does wrong',
    usage: [
      'module list',
      'module add ID URL [--login URL] [--sign-out-url URL]',
      'module check ID [--run COMMAND] [--portal URL] [--sign-out PATH]',
      'module check URL [--id ID] [--login URL] [--sign-out-url URL] [--sign-out PATH] [--run COMMAND] [--portal URL] [--secret-file FILE]',
    ],
    notes: [
      'ID is one of PORCHLIGHT_MODULES_FILE. add writes there, or prints the entry where that is not set; the secret is shown once.',
      'check listens at the address of a demo, so stop the demo: http://localhost:3000, PORCHLIGHT_PUBLIC_URL, or what --portal names. It waits a minute for the module. docs/modules.md, "Try it".',
      '--run starts the module, with PORTAL, MODULE, ORIGIN and PORT in its environment. One given by URL also gets SECRET. --sign-out is the path by which a person signs out of it.',
    ],
    example:
      "module check http://localhost:8080/ --sign-out-url http://localhost:8080/signed-out --run 'node examples/node-module/server.ts'",
    json: 'list: {id, rootUrl, loginUrl, sealedTo, signOutUrl} a line; add: {entry, secret}; check: {check, state, what, mend} a line',
  },
  keys: {
    summary: 'lists, rotates and retires signing keys; seals them under a new secret',
    usage: [
      'keys list',
      'keys rotate [es256] [rs256] [cookies] [handoff] [--now]',
      'keys retire KEY',
      'keys reseal',
    ],
    notes: ['--now is for a key that has leaked. docs/configuration.md, "Keys and secrets".'],
    example: 'keys rotate --now handoff',
    json: 'reseal: {count, fresh, lost}; else {use, kid, state, signsFrom, endsAt, isUnderEarlierSecret} a line; state is next, signs, verifies or over',
  },
  outbox: {
    summary: 'lists messages and leads that were given up, and sends them again',
    usage: ['outbox list', 'outbox retry ID|all'],
    example: 'outbox retry all',
    json: 'list: {id, kind, key, createdAt, deadAt, attempts, reason} a line; retry: {count}',
  },
  audit: {
    summary: 'tells whether the audit log is as it was written; prints its newest events',
    usage: ['audit verify [--head BATCH.MAC]', 'audit tail [--count N]'],
    notes: ['tail always prints one JSON object a line. docs/operations/audit.md.'],
    example: 'audit tail --count 50',
    json: 'verify: {rows, batches, open, clearedTo, faultCount, head, faults}; tail: an event a line',
  },
  'check-tenant': {
    summary: 'compares an Auth0 tenant with what Porchlight needs; changes nothing',
    usage: ['check-tenant'],
    example: 'check-tenant',
    json: '{check, state, what, mend} a line, as doctor',
  },
  help: {
    summary: 'tells more of a verb',
    usage: ['help [VERB [WORD]]'],
    example: 'help user',
    json: 'of a verb: {name, summary, usage, example, json}; without one, one a line',
  },
  completion: {
    summary: 'prints a script that completes verbs and options in a shell',
    usage: ['completion bash', 'completion zsh'],
    notes: ["It completes the word porchlight: alias porchlight='npx porchlight'"],
    example: 'completion bash >> ~/.bashrc',
    json: '{script}',
  },
} as const satisfies Readonly<Record<string, VerbText>>;

export type VerbName = keyof typeof verbs;
