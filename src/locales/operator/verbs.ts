/**
 * Every verb of the command line with its words, declared once: the parser, each help, the completion and
 * `docs/operations/commands.md` are made from this table.
 */

type Option = {
  /** The name of its value; an option without one is a switch. */
  readonly value?: string;
  /** The option can be given several times. */
  readonly isMany?: true;
  readonly isNeeded?: true;
  /** Its value is one of these. */
  readonly choices?: readonly string[];
  readonly about: string;
};

export type Line = {
  /** Words in their order: `[NAME]` can be left out, `NAME...` is one or more. */
  readonly args?: string;
  readonly about: string;
  /** The verb alone means this line. */
  readonly isDefault?: true;
  readonly options?: Readonly<Record<string, Option>>;
};

type Verb = {
  readonly summary: string;
  /** The lines by sub-verb; '' for a verb without one. */
  readonly lines: Readonly<Record<string, Line>>;
  readonly notes?: readonly string[];
  readonly example: string;
  /** The output of `--json`. */
  readonly json: string;
  /** Names of earlier releases, which still work. */
  readonly earlier?: readonly string[];
};

const PERSON = 'EMAIL|ID';
const phone = { value: 'NUMBER', about: 'with its dial code, such as +12125550142' } as const;
const subtenant = { value: 'ID', about: 'the subtenant; 742 without it' } as const;
const newRole = {
  value: 'ROLE',
  isMany: true,
  about: 'a number or a name, such as 4 or Admin; a member without it',
} as const;
const count = { value: 'N', about: 'how many at most; 100 without it' } as const;
const login = { value: 'URL', about: 'loginUrl; "login" below the address without it' } as const;
const signOutUrl = { value: 'URL', about: 'called when a session ends' } as const;

const EVEN_SO = { about: 'takes a name that looks like another, or like a link' };

export const verbs = {
  init: {
    summary: 'sets up a first production in one go; what is there stays as it is',
    lines: {
      '': {
        args: '[EMAIL] [FIRST] [LAST]',
        about: 'sets up a first production',
        options: {
          role: { ...newRole, about: 'a role of the first person; 3 and 4 without it' },
          name: { value: 'NAME', about: 'the organization: subtenant 742' },
          academy: { value: 'NAME', about: 'the academy: subtenant 3' },
        },
      },
    },
    notes: [
      'It writes porchlight.json (settings), porchlight.env (secrets), porchlight.secret and an empty modules.json. You alone read them. In a folder that is open to a group and closed to others, that group reads them, too. --settings names another file.',
      'At a terminal it asks for what only you know. Elsewhere the environment has the answers: DATABASE_URL=URL porchlight init. It says what is left to fill in, and continues when it is run again.',
      'It brings the database up to date and adds subtenant 742 (NAME), with --academy also 3. The first person is invited by mail, with roles 3 and 4 unless others are named. While no operator of /console is named, that person becomes one.',
    ],
    example: "init nora@example.org Nora Lind --name 'Rosewood Senior Living'",
    json: '{file, applied, subtenants, person}, or {file, faults}; subtenants: {id, isAdded}; person: {email, id, isInvited}, or null',
  },
  serve: {
    summary: 'serves the portal, its API and the hosted login',
    lines: {
      '': {
        about: 'serves until SIGTERM',
        options: { 'no-migrate': { about: 'refuses to start while migrations wait' } },
      },
    },
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
    lines: {
      '': {
        about: 'runs the migrations that wait',
        options: { status: { about: 'lists the migrations that wait, and changes nothing' } },
      },
    },
    notes: [
      'Migrations have no time limit. --status changes nothing, and exits with 1 while migrations wait.',
    ],
    example: 'migrate --status',
    json: '{applied}; --status: {applied, pending}',
  },
  upgrade: {
    summary: 'says beforehand what an upgrade to this release will do; changes nothing',
    lines: { check: { about: 'looks at settings and database of the release that runs' } },
    notes: [
      'Run it in the new release, while the old one serves. It names the migrations to run, and those over large tables. It names settings that the new release refuses, and doubled mailboxes. It exits with 1 when the new release would not start.',
    ],
    example: 'upgrade check --settings /etc/porchlight/porchlight.env',
    json: 'as doctor',
  },
  backup: {
    summary: 'writes everything that the database holds into a file for you alone',
    lines: { '': { args: 'FILE', about: 'writes a backup into a new file' } },
    notes: [
      'With PostgreSQL it runs pg_dump, beside running servers. That may not be older than the database server. The embedded database belongs to one process: stop the server first.',
      'A file that is there stays as it is. PORCHLIGHT_SECRET is in no backup, and without it the keys in a backup open nothing. docs/operations/backup.md.',
    ],
    example: 'backup porchlight-2026-11-22.backup',
    json: '{file, bytes, sha256, isTold}',
  },
  restore: {
    summary: 'puts a backup into an empty database, brings it up to date, signs everybody out',
    lines: {
      '': {
        args: 'FILE',
        about: 'restores a backup',
        options: { replace: { about: 'replaces the content of the database' } },
      },
    },
    notes: [
      'Stop all instances first. --replace takes what is in the database away, once the restore has worked.',
      'No session, code, link or token of before the backup works afterwards, and none is mailed any more. Until that is done no server starts on the database.',
      'FILE may also be one of pg_dump --format=custom. After a restore with other tools, run sessions end --all before the first server starts.',
    ],
    example: 'restore porchlight-2026-11-22.backup',
    json: '{file, sha256, applied, ended, isSecretMissing}; ended counts rows by table',
  },
  sessions: {
    summary: 'signs everybody out and ends every code, link and token',
    lines: {
      end: {
        about: 'ends every session, code, link and token',
        options: { all: { isNeeded: true, about: 'confirms that all of them are meant' } },
      },
    },
    notes: [
      'For a database that was restored with other tools, before a server starts on it. Also when a copy of the database is in wrong hands. Accounts, passwords and roles stay.',
    ],
    example: 'sessions end --all',
    json: '{ended}: rows by table',
  },
  config: {
    summary:
      'checks the settings and the files they name, without the network; prints their schema',
    lines: {
      check: { about: 'lists faults and warnings of the settings' },
      schema: { about: 'prints the JSON Schema of porchlight.json' },
    },
    notes: [
      'A fault keeps a server from starting; a warning does not. doctor adds what needs the network.',
      'schema prints what porchlight.json may hold, as JSON Schema.',
    ],
    example: 'config check',
    json: '{faults, warnings}, each a list of sentences; schema: the schema',
  },
  doctor: {
    summary: 'looks for what is amiss in a running installation; changes nothing',
    lines: {
      '': {
        about: 'checks the installation',
        options: { mail: { value: 'EMAIL', about: 'sends a real mail to this address' } },
      },
    },
    notes: ['--mail sends a real mail to that address.'],
    example: 'doctor --mail you@example.org',
    json: '{check, state, what, mend} a line; state is ok, warning or fault',
  },
  subtenant: {
    summary: 'lists, checks, adds, changes, closes and opens subtenants',
    earlier: ['tenant'],
    lines: {
      list: { about: 'lists all subtenants' },
      check: { about: 'checks the default, logos and accents' },
      add: {
        args: 'ID NAME',
        about: 'adds a subtenant',
        options: {
          logo: { value: '/logos/FILE', about: 'a file of PORCHLIGHT_LOGOS_DIR' },
          accent: { value: '#RRGGBB', about: 'the color of buttons and links' },
          language: { value: 'CODE', about: 'of pages and mails where nobody chose one: en or es' },
          'even-so': EVEN_SO,
        },
      },
      set: {
        args: 'ID',
        about: 'changes what its options name',
        options: {
          name: { value: 'NAME', about: 'the new name' },
          logo: { value: '/logos/FILE', about: 'a file of PORCHLIGHT_LOGOS_DIR' },
          accent: { value: '#RRGGBB|none', about: 'the color of buttons and links' },
          language: { value: 'CODE|none', about: 'of pages and mails where nobody chose one' },
          hours: { value: 'HOURS|none', about: 'of the help phone, as the setting help.hours' },
          'even-so': EVEN_SO,
        },
      },
      close: { args: 'ID', about: 'takes nobody in any more' },
      open: { args: 'ID', about: 'takes people in again', options: { 'even-so': EVEN_SO } },
    },
    notes: [
      '742 is the default, 3 the academy. A closed one takes nobody in; its people keep their accounts.',
      'check looks at the default, logos and accents, as doctor does.',
    ],
    example: "subtenant add 742 'Rosewood Senior Living' --accent '#1F5FA8'",
    json: 'list: {id, name, logoPath, accent, isOpen} a line; check: as doctor; else {id}',
  },
  house: {
    summary: 'keeps the administrators of subtenants, the roles that they give, and invitations',
    lines: {
      admin: {
        args: 'ACT [WHO]',
        about: 'add or remove a person, or list the administrators of a subtenant or of all',
      },
      roles: {
        args: 'ID',
        about: 'prints the roles that the administrators of a subtenant give',
        options: {
          set: { value: 'ROLES', about: 'puts these in their place, such as 3,5; or none' },
        },
      },
      invitations: {
        args: '[ID]',
        about: 'lists the invitations that wait for an answer, of a subtenant or of all',
      },
      withdraw: { args: 'INVITATION', about: 'takes one back: its link no longer works' },
    },
    notes: [
      'ACT is add, remove or list. WHO is EMAIL|ID; for list it is the id of a subtenant.',
      'A person becomes administrator of the own subtenant. A move, closing or erasing ends it for good.',
      'Roles with operator rights are refused, and so are 1, 9 and 18, which every help desk gives.',
    ],
    example: 'house admin add ruth@rosewood.example',
    json: 'admin list: {id, email, status, name, subtenantId, since} a line; roles: {id, roles}; invitations: {id, subtenantId, email, role, sentBy, until} a line; else {id}',
  },
  user: {
    summary: "adds accounts and looks after them; a person's data, and its end",
    lines: {
      show: { args: PERSON, about: 'prints an account' },
      add: {
        args: 'EMAIL FIRST LAST',
        about: 'adds an account without a password',
        options: { role: newRole, phone, subtenant },
      },
      invite: {
        args: 'EMAIL [FIRST] [LAST]',
        about: 'adds an account and mails a link; by the address alone, a new link',
        options: { role: newRole, phone, subtenant },
      },
      list: {
        about: 'lists the newest accounts',
        options: {
          role: { ...newRole, about: 'only with one of these roles' },
          subtenant: { value: 'ID', about: 'only of this subtenant' },
          status: { choices: ['active', 'pending', 'inactive'], about: 'only in this state' },
          count,
        },
      },
      find: {
        args: 'TEXT...',
        about: 'finds accounts by name, address or number',
        options: { count },
      },
      set: {
        args: PERSON,
        about: 'changes what its options name',
        options: {
          first: { value: 'NAME', about: 'the first name' },
          last: { value: 'NAME', about: 'the last name' },
          email: { value: 'ADDRESS', about: 'the address; it has to be proven again' },
          phone: { value: 'NUMBER|none', about: 'the number; it has to be proven again' },
          subtenant: { value: 'ID', about: 'the subtenant' },
        },
      },
      unlock: { args: PERSON, about: 'forgets wrong passwords and codes, and what was sent' },
      roles: {
        args: PERSON,
        about: 'gives and takes roles',
        options: {
          give: { value: 'ROLE', isMany: true, about: 'a role to give' },
          take: { value: 'ROLE', isMany: true, about: 'a role to take' },
        },
      },
      suspend: { args: PERSON, about: 'switches an account off and signs it out' },
      resume: { args: PERSON, about: 'switches an account on' },
      sessions: { args: PERSON, about: 'lists the sessions of an account' },
      helpers: {
        args: PERSON,
        about: 'lists the trusted helpers of an account, and whom it helps',
      },
      'end-helper': {
        args: PERSON,
        about: 'ends the help of a trusted helper',
        options: {
          helper: { value: 'HELPER', isNeeded: true, about: 'the id that user helpers prints' },
        },
      },
      keys: { args: PERSON, about: 'lists the saved keys (passkeys) of an account' },
      'agree-to-change': {
        args: PERSON,
        about: 'agrees to the change that the help desk began, in place of a second staff member',
      },
      'remove-key': {
        args: PERSON,
        about: 'removes a saved key',
        options: {
          key: { value: 'KEY', isNeeded: true, about: 'the number that user keys prints' },
        },
      },
      'sign-out': {
        args: PERSON,
        about: 'ends the sessions of an account',
        options: { session: { value: 'SESSION', about: 'ends this one alone' } },
      },
      'remove-app-code': {
        args: PERSON,
        about: 'takes the app code away: sign-in codes are mailed again',
      },
      export: { args: PERSON, about: 'prints everything that is kept about a person' },
      erase: {
        args: PERSON,
        about: 'deletes an account and everything about its person, for good',
        options: { yes: { about: 'confirms it' } },
      },
      import: {
        args: 'FILE|-',
        about: 'imports people of another system',
        options: {
          format: {
            value: 'csv|ndjson|auth0|keycloak|cognito|firebase',
            about: 'by the file’s name without it',
          },
          country: { value: 'COUNTRY', about: 'the country of numbers without +, such as US' },
          'without-bad-numbers': { about: 'takes people without a number that is wrong' },
          'without-unknown-hashes': {
            about: 'takes people without a password hash that is refused',
          },
          'dry-run': { about: 'imports nothing, and says what it would do' },
          'trust-proof': { about: 'believes the file which addresses are proven' },
          role: { ...newRole, about: 'a role of people without one in the file' },
          subtenant,
          report: { value: 'FILE', about: 'writes the whole result into a new file' },
        },
      },
    },
    notes: [
      "A new account has no password: its person sets one by the mail of 'Forgot Password?'. Without --role it is a member's. ROLE is a number or a name, such as 4 or Admin: porchlight role list.",
      'invite adds an account, too, and mails a link that sets the password. By the address alone it mails a new link.',
      'find looks for TEXT in names, addresses and numbers. set changes what its options name; a new address or number has to be proven again.',
      'list prints the newest accounts, 100 unless --count says so. unlock forgets the wrong passwords and codes of one account, and what was sent to it.',
      'sessions lists where a person is signed in: roughly which browser, and the network. sign-out ends all of them, or one, and tells modules and applications. An Auth0 tenant keeps its own.',
      'remove-app-code is for a person who has lost both the app and the printed recovery codes. Be sure who it is: password and a mailed code then open the account. The person is told by mail.',
      'helpers lists who may help a person, and whom the person helps. end-helper ends one, and both are told by mail.',
      'remove-key is for a device that was lost or stolen: its key opens nothing any more. The person is told by mail, and signs in by password and code.',
      'export prints everything that is kept about a person; erase deletes it, for good.',
      'import takes people over from other systems, with their password hashes; a second run adds what is missing. docs/operations/import.md.',
    ],
    example: 'user add nora@example.org Nora Lind --role 3',
    json: 'list, find: {id, email, name, status, subtenantId, roles} a line; set: {id, changed}; unlock, sign-out: {id, count}; sessions: {id, startedAt, seenAt, browser, network, entrance, clients} a line; helpers: {id, who, name, relation, state, since, endsAt} a line; keys: {key, name, addedAt, lastUsedAt, domain} a line; remove-key: {id, name}; show, export: the account; remove-app-code: {id, isRemoved}; erase: {id, erased, hostedUserId, linked}; import: {file, isDryRun, sha256, counts, columnsLeftOut, faults, lines, notes, weakLines, hashKinds, rolesLeftOut}; else {id}',
  },
  role: {
    summary: 'lists the roles; tells where roles lead after sign-in, and by which requirement',
    earlier: ['explain'],
    lines: {
      list: { about: 'lists the roles and the module of each' },
      route: {
        about: 'tells where roles lead after sign-in',
        options: {
          role: { value: 'ROLE', isMany: true, isNeeded: true, about: 'a role of the person' },
          entrance: { choices: ['portal', 'legalStaff'], about: 'portal without it' },
          subtenant: { value: 'ID', about: 'changes nothing about the route' },
        },
      },
    },
    example: 'role route --role 9 --role 5',
    json: 'list: {id, name, family, module, page, isStaff} a line; route: {destination, rule, choices}',
  },
  promo: {
    summary: "lists and saves the academy's promo codes",
    lines: {
      list: { about: 'lists the codes' },
      add: {
        args: 'CODE',
        about: 'adds a code',
        options: {
          until: { value: 'YYYY-MM-DD', about: 'the last day; no end without it' },
          uses: { value: 'NUMBER', about: 'how often it can be used; no cap without it' },
        },
      },
      set: {
        args: 'CODE',
        about: 'changes the end and the cap of a code',
        options: {
          until: { value: 'YYYY-MM-DD|none', about: 'the last day' },
          uses: { value: 'NUMBER|none', about: 'how often it can be used' },
        },
      },
    },
    notes: [
      'Codes are 4 to 32 letters, digits and hyphens. add leaves a code that is there as it is; set changes what its options name.',
    ],
    example: 'promo add SPRING-30 --until 2027-01-31 --uses 50',
    json: 'list: {code, validUntil, maxUses, used} a line; add, set: {code}',
  },
  support: {
    summary: 'tells why a person cannot sign in, and what happened: requests, refusals, messages',
    lines: { '': { args: 'REFERENCE|EMAIL|ID', about: 'prints the answer and the timeline' } },
    notes: [
      'For an account the first lines say why its person cannot sign in, and what mends it.',
      'REFERENCE is the request id that an error page shows. An event says why something was refused; a message says whether it was sent and delivered.',
    ],
    example: 'support margaret@example.org',
    json: '{at, what, outcome, reason, request, details} a line',
  },
  leads: {
    summary: 'lists, sends and deletes leads that were kept while there was no CRM',
    lines: {
      list: { about: 'lists the leads' },
      resend: { args: 'KEY|all', about: 'queues leads for the CRM' },
      purge: {
        args: 'KEY|all',
        about: 'deletes leads for good',
        options: { yes: { about: 'confirms it' } },
      },
    },
    notes: [
      'list prints key, moment, name and address. Leads of other installations are sent at once and are not here.',
    ],
    example: 'leads resend all',
    json: 'list: {key, receivedAt, lead} a line; else {count}',
  },
  limits: {
    summary: 'lists what is counted at present; lets a limit begin anew for everybody',
    lines: {
      list: { about: 'lists the limits and their counts' },
      clear: { args: 'NAME', about: 'forgets every count of a limit' },
    },
    notes: [
      'Counts have keyed hashes for names, so they show no person. One account: user unlock.',
    ],
    example: 'limits clear signUpPerIp',
    json: 'list: {name, max, minutes, counted, full, refused} a line; clear: {limit, count}',
  },
  survey: {
    summary: "exports the answers to 'How did you hear about us?' as CSV",
    lines: {
      export: {
        about: 'prints the answers as CSV',
        options: { out: { value: 'FILE', about: 'writes them into a new file' } },
      },
    },
    notes: [
      'FILE is new, and can be read by you alone. A cell that a spreadsheet would run begins with an apostrophe.',
    ],
    example: 'survey export --out answers.csv',
    json: 'an answer a line, by the names of the columns; with --out {file, count}',
  },
  client: {
    summary: 'lists, adds, changes and removes applications that sign people in here',
    lines: {
      list: { about: 'lists the clients' },
      show: { args: 'ID', about: 'prints a client' },
      add: { args: 'FILE', about: 'adds the client of a file' },
      set: { args: 'FILE', about: 'replaces a client by that of a file' },
      'rotate-secret': { args: 'ID', about: 'makes a new secret' },
      remove: { args: 'ID', about: 'removes a client' },
    },
    notes: [
      'Those of PORCHLIGHT_CLIENTS_FILE are not listed. FILE holds one client as docs/clients.md shows it.',
      'set puts the file in the place of what is there; without a secretHash the secret stays.',
    ],
    example: 'client add garden-club.json',
    json: 'list: {id, name, firstParty, auth} a line; show: the client; else {id}, with the secret where one was made',
  },
  organisation: {
    summary: 'keeps organizations whose people sign in by a provider of their own',
    lines: {
      list: { about: 'lists the organizations' },
      show: { args: 'ID', about: 'prints an organization without its secret' },
      add: {
        args: 'FILE',
        about: 'adds the organization of a file',
        options: { 'even-so': { about: 'takes roles that people can sign up for' } },
      },
      set: {
        args: 'FILE',
        about: 'replaces an organization by that of a file',
        options: { 'even-so': { about: 'takes roles that people can sign up for' } },
      },
      'rotate-secret': {
        args: 'ID FILE',
        about: 'stores the new client secret that FILE holds',
        options: { ends: { value: 'YYYY-MM-DD', about: 'the day on which the secret ends' } },
      },
      bearer: { args: 'ID', about: 'makes a secret token for its directory (SCIM)' },
      'hand-over': { args: 'EMAIL', about: 'offers a linked account to its directory' },
      check: { args: '[ID]', about: 'tries the provider of one organization, or of all' },
      remove: { args: 'ID', about: 'removes an organization with its links' },
    },
    notes: [
      'FILE holds one organization as docs/organisations.md shows it. Keep it private: it may hold the client secret.',
      'check tries discovery, keys, redirect address and clock, as doctor does.',
      'set puts the file in the place of what is there; without a clientSecret the secret stays. Subtenant, issuer and subject stay as they are.',
    ],
    example: 'organisation add rosewood-staff.json',
    json: 'list: {id, subtenantId, label, issuer, isOn} a line; show: the organization; check: as doctor; else {id}, with redirectUri or bearer where one was made',
  },
  module: {
    summary:
      'lists, adds, changes and removes modules; plays the portal against one, and says what it does wrong',
    lines: {
      list: { about: 'lists the modules' },
      add: {
        args: 'ID URL',
        about: 'adds a module at an address',
        options: { login, 'sign-out-url': signOutUrl },
      },
      set: {
        args: 'ID',
        about: 'changes what its options name',
        options: {
          url: { value: 'URL', about: 'the address: rootUrl' },
          login: { value: 'URL', about: 'loginUrl' },
          'sign-out-url': { value: 'URL|none', about: 'called when a session ends' },
        },
      },
      'rotate-secret': { args: 'ID', about: 'makes a new secret' },
      remove: { args: 'ID', about: 'removes a module' },
      check: {
        args: 'ID|URL',
        about: 'plays the portal against a module',
        options: {
          id: { value: 'ID', about: 'the module at URL; admin without it' },
          login,
          'sign-out-url': signOutUrl,
          'sign-out': { value: 'PATH', about: 'the path by which a person signs out of it' },
          run: { value: 'COMMAND', about: 'starts the module' },
          portal: { value: 'URL', about: 'where the check listens' },
          'secret-file': { value: 'FILE', about: 'the secret that the module has already' },
        },
      },
    },
    notes: [
      'ID is one of PORCHLIGHT_MODULES_FILE. The verbs that change write there. Where it is not set, add prints the entry. A secret is shown once. Servers read the file when they start.',
      'check listens at the address of a demo, so stop the demo: http://localhost:3000, PORCHLIGHT_PUBLIC_URL, or what --portal names. It waits a minute for the module. docs/modules.md, "Try it".',
      '--run starts the module, with PORTAL, MODULE, ORIGIN and PORT in its environment. One given by URL also gets SECRET. --sign-out is the path by which a person signs out of it.',
    ],
    example:
      "module check http://localhost:8080/ --sign-out-url http://localhost:8080/signed-out --run 'node examples/node-module/server.ts'",
    json: 'list: {id, rootUrl, loginUrl, sealedTo, signOutUrl} a line; add, set, rotate-secret: {entry, secret}; remove: {id}; check: {check, state, what, mend} a line',
  },
  keys: {
    summary: 'lists, rotates and retires signing keys; encrypts them under a new secret',
    lines: {
      list: { about: 'lists the keys' },
      rotate: {
        args: '[es256|rs256|cookies|handoff]...',
        about: 'publishes the next keys; of every use without a word',
        options: { now: { about: 'for a key that has leaked: the next one signs in minutes' } },
      },
      retire: { args: 'KEY', about: 'deletes a key that no longer signs' },
      reseal: { about: 'encrypts everything under PORCHLIGHT_SECRET' },
    },
    notes: ['--now is for a key that has leaked. docs/configuration.md, "Keys and secrets".'],
    example: 'keys rotate --now handoff',
    json: 'reseal: {count, fresh, lost}; else {use, kid, state, signsFrom, endsAt, isUnderEarlierSecret} a line; state is next, signs, verifies or over',
  },
  outbox: {
    summary: 'lists messages and leads that were given up, and sends them again',
    lines: {
      list: { about: 'lists the dead letters' },
      retry: { args: 'ID|all', about: 'queues dead letters again' },
    },
    example: 'outbox retry all',
    json: 'list: {id, kind, key, createdAt, deadAt, attempts, reason} a line; retry: {count}',
  },
  audit: {
    summary: 'tells whether the audit log is as it was written; prints its newest events',
    lines: {
      verify: {
        about: 'verifies the hash chain',
        options: { head: { value: 'BATCH.MAC', about: 'a head that was kept elsewhere' } },
      },
      tail: {
        about: 'prints the newest events',
        options: { count: { value: 'N', about: 'how many, 1000 at most; 20 without it' } },
      },
    },
    notes: ['tail always prints one JSON object a line. docs/operations/audit.md.'],
    example: 'audit tail --count 50',
    json: 'verify: {rows, batches, open, clearedTo, faultCount, head, faults}; tail: an event a line',
  },
  auth0: {
    summary: 'compares an Auth0 tenant with what Porchlight needs; changes nothing',
    earlier: ['check-tenant'],
    lines: { check: { about: 'checks the tenant of the settings', isDefault: true } },
    example: 'auth0 check',
    json: '{check, state, what, mend} a line, as doctor',
  },
  help: {
    summary: 'tells more of a verb',
    lines: { '': { args: '[VERB] [WORD]', about: 'prints the help of a verb or a sub-verb' } },
    example: 'help user add',
    json: 'of a verb: {name, summary, usage, example, json}; without one, one a line',
  },
  completion: {
    summary: 'prints a script that completes verbs and options in a shell',
    lines: { '': { args: 'bash|zsh', about: 'prints the script' } },
    notes: ["It completes the word porchlight: alias porchlight='npx porchlight'"],
    example: 'completion bash >> ~/.bashrc',
    json: '{script}',
  },
} as const satisfies Readonly<Record<string, Verb>>;

export type VerbName = keyof typeof verbs;
export type SubVerb<Name extends VerbName> = keyof (typeof verbs)[Name]['lines'];

/** The options of a line as its verb gets them. */
export type Values<Options> = {
  readonly [Name in keyof Options]?: Options[Name] extends { readonly isMany: true }
    ? readonly string[]
    : Options[Name] extends { readonly value: string } | { readonly choices: readonly string[] }
      ? string
      : boolean;
};

/** The values of one line. */
export type ValuesOf<L> = L extends { readonly options: infer Options }
  ? Values<Options>
  : Readonly<Record<never, never>>;
