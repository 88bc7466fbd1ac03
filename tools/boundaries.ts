// Who may import whom, as data: docs/architecture.md shows this table to people,
// oxlint.config.ts turns it into lint rules, tools/boundaries.test.ts proves that they bite.
//
// Patterns are regular expressions of Rust's kind (no look-ahead) and never gitignore groups:
// in oxlint a negation inside a group silently lets imports pass the other patterns as well.

import type { OxlintOverride } from 'oxlint';
import { foldersOf } from './server-folders.ts';

const ROOMS = [
  'locales',
  'domain',
  'contract',
  'openid-provider',
  'demo-apps',
  'module-kit',
  'server',
  'cli',
  'portal',
  'console',
] as const;
type Room = (typeof ROOMS)[number];

type Pattern = {
  regex: string;
  message: string;
  allowTypeImports?: boolean;
  importNames?: string[];
};

/** The rooms each room may import; whatever is not here is refused. */
export const MAY_IMPORT: Record<Room, readonly Room[]> = {
  locales: [],
  domain: ['locales'],
  contract: ['domain', 'locales'],
  'openid-provider': ['domain', 'contract', 'locales'],
  'demo-apps': ['domain', 'locales'],
  'module-kit': ['domain', 'locales'],
  server: ['domain', 'contract', 'locales'],
  cli: ['server', 'module-kit', 'domain', 'contract', 'locales'],
  portal: ['domain', 'contract', 'locales'],
  console: ['portal', 'domain', 'contract', 'locales'],
};

/** Here only types may come from the room beside; for everything else a value is welcome. */
const ONLY_TYPES: Partial<Record<Room, Room>> = { domain: 'locales', contract: 'locales' };

export const FOUNDATION = foldersOf('base');
export const FEATURES = foldersOf('feature');
export const SUBJECTS = foldersOf('subject');
type Feature = (typeof FEATURES)[number];

function filesOf(feature: Feature): string[] {
  return feature === 'identity-provider/port'
    ? ['src/server/identity-provider/*.ts']
    : [`src/server/${feature}/**`];
}

/** What puts everything together; no other folder knows it. */
const TOP = ['main', ...foldersOf('top')];

/** The same text in every refusal, because a reader meets only one of them. */
const SEE = 'See the import table in docs/architecture.md.';

/** `#texts/` are the locales, too: those for people, in the language of the build. */
const nameOf = (room: Room) => (room === 'locales' ? '(?:locales|texts)' : room);

function refuseRoom(from: Room, to: Room): Pattern {
  return { regex: `^#${nameOf(to)}/`, message: `${from} may not import ${to}. ${SEE}` };
}

/** A relative path into another room would slip past the names with a number sign. */
const REFUSE_RELATIVE: Pattern = {
  regex: `^\\.\\.?/(?:.*/)?(?:${ROOMS.join('|')})/`,
  message: `Another room is imported by its name (#domain/…), never by a relative path. ${SEE}`,
};

/** One place chooses the language. */
const REFUSE_LANGUAGE: Pattern = {
  regex: '^#locales/en/',
  message: `Texts for people are imported as #texts/…, in no certain language. ${SEE}`,
};

const REFUSE_OPERATOR_TEXTS: Pattern = {
  regex: '^#locales/operator/',
  message: `An operator's words are in no page. ${SEE}`,
};

/** Matches every package but zod. */
const REFUSE_LIBRARIES: Pattern = {
  regex: '^(?:[^.#z]|z$|z[^o]|zo$|zo[^d]|zod[^/])',
  message: `This room is pure: no library but zod and nothing of Node. ${SEE}`,
};

const REFUSE_ALL_LIBRARIES: Pattern = {
  regex: '^[^.#]',
  message: `locales is plain data: it imports nothing. ${SEE}`,
};

function refusedRooms(room: Room, extra: readonly Room[] = []): Pattern[] {
  const patterns = ROOMS.filter(
    (other) => other !== room && !MAY_IMPORT[room].includes(other) && !extra.includes(other),
  ).map((other) => refuseRoom(room, other));
  const typesOnly = ONLY_TYPES[room];
  if (typesOnly) {
    patterns.push({
      regex: `^#${nameOf(typesOnly)}/`,
      message: `${room} may import only types of ${typesOnly}. ${SEE}`,
      allowTypeImports: true,
    });
  }
  // A room's own name would hide from the rules below that look at relative paths.
  patterns.push({
    regex: `^#${room}/`,
    message: 'Inside a room imports are relative.',
  });
  if (room === 'portal') patterns.push(REFUSE_OPERATOR_TEXTS);
  return [...patterns, REFUSE_RELATIVE, REFUSE_LANGUAGE];
}

/** A folder, or a file by its name without the ending; of a folder in a folder its own name. */
function refuseServer(
  names: readonly string[],
  message: string,
  allowTypeImports = false,
): Pattern {
  return {
    regex: `^\\.\\./(?:.*/)?(?:${names.map((name) => name.split('/').at(-1)).join('|')})(?:/|\\.ts$)`,
    message: `${message} ${SEE}`,
    ...(allowTypeImports && { allowTypeImports }),
  };
}

function refusedForFoundation(folder: (typeof FOUNDATION)[number]): Pattern[] {
  const later = FOUNDATION.slice(FOUNDATION.indexOf(folder) + 1);
  return [
    ...refusedRooms('server'),
    refuseServer(
      [...later, ...FEATURES, ...SUBJECTS, ...TOP],
      `${folder} stands below this folder.`,
    ),
  ];
}

/** Features that implement or use what the provider declares, and so know its types. */
const KNOW_THE_PROVIDER: readonly Feature[] = [
  'identity-provider/port',
  'identity-provider/oauth-clients',
  'identity-provider/embedded',
];

function refusedForFeature(feature: Feature, ofProvider?: 'values'): Pattern[] {
  const index = FEATURES.indexOf(feature);
  return [
    ...refusedRooms('server', KNOW_THE_PROVIDER.includes(feature) ? ['openid-provider'] : []),
    ...(KNOW_THE_PROVIDER.includes(feature) && ofProvider !== 'values'
      ? [{ ...refuseRoom('server', 'openid-provider'), allowTypeImports: true }]
      : []),
    refuseServer([...FEATURES.slice(index + 1), ...TOP], `${feature} stands below this folder.`),
    refuseServer(
      [...FEATURES.slice(0, index), ...SUBJECTS],
      'A feature takes only types of another; values are handed over in src/server/wiring/.',
      true,
    ),
  ];
}

function refusedForSubject(subject: (typeof SUBJECTS)[number]): Pattern[] {
  const later = SUBJECTS.slice(SUBJECTS.indexOf(subject) + 1);
  return [
    ...refusedRooms('server'),
    refuseServer([...later, ...TOP], `${subject} stands below this folder.`),
  ];
}

function restrictImports(
  files: string[],
  patterns: Pattern[],
  excludeFiles?: string[],
): OxlintOverride {
  return {
    files,
    ...(excludeFiles && { excludeFiles }),
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

const TESTS = '**/*.test.{ts,tsx}';

/** Timers, network, randomness and the clock are the business of others: time is a parameter. */
const PURE_GLOBALS = [
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
  'performance',
  'console',
  'process',
  'window',
  'document',
  'localStorage',
  'sessionStorage',
];
const PURE_PROPERTIES = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
  ...PURE_GLOBALS.map((property) => ({ object: 'globalThis', property })),
];

/**
 * For one file the last matching override wins and patterns do not add up. So every entry repeats
 * what holds for the wider folder, and the order is from wide to narrow.
 */
export const BOUNDARIES: OxlintOverride[] = [
  ...ROOMS.map((room) => restrictImports([`src/${room}/**`], refusedRooms(room))),
  ...(['domain', 'contract'] as const).map((room) =>
    restrictImports([`src/${room}/**`], [...refusedRooms(room), REFUSE_LIBRARIES], [TESTS]),
  ),
  restrictImports(['src/locales/**'], [...refusedRooms('locales'), REFUSE_ALL_LIBRARIES], [TESTS]),
  {
    files: ['src/domain/**'],
    excludeFiles: [TESTS],
    rules: {
      'no-restricted-globals': [
        'error',
        ...PURE_GLOBALS.map((name) => ({ name, message: `domain is pure. ${SEE}` })),
      ],
      'no-restricted-properties': [
        'error',
        ...PURE_PROPERTIES.map((entry) => ({ ...entry, message: `domain is pure. ${SEE}` })),
      ],
    },
  },
  {
    files: ['src/{server,cli,openid-provider,demo-apps,module-kit,portal}/**'],
    excludeFiles: [TESTS],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'Math',
          property: 'random',
          message: 'Can be guessed: take the crypto of Node or the browser.',
        },
      ],
    },
  },

  ...FOUNDATION.map((folder) =>
    restrictImports([`src/server/${folder}/**`], refusedForFoundation(folder), [TESTS]),
  ),
  // Types of what every feature is given.
  restrictImports(['src/server/core/context.ts'], refusedRooms('server')),
  ...FEATURES.map((feature) =>
    restrictImports(filesOf(feature), refusedForFeature(feature), [TESTS]),
  ),
  ...SUBJECTS.map((subject) =>
    restrictImports([`src/server/${subject}/**`], refusedForSubject(subject), [TESTS]),
  ),
  // The only place that puts provider and demo apps together with the rest; tests may compose as well.
  restrictImports(
    ['src/server/wiring/**'],
    refusedRooms('server', ['openid-provider', 'demo-apps']),
  ),
  restrictImports(
    ['src/server/testing/**', `src/server/${TESTS}`],
    refusedRooms('server', ['openid-provider', 'demo-apps', 'cli']),
  ),
  // A whole module is checked with it, which the tests of the server have.
  restrictImports([`src/module-kit/${TESTS}`], refusedRooms('module-kit', ['server', 'demo-apps'])),
  restrictImports([`src/cli/${TESTS}`], refusedRooms('cli', ['openid-provider', 'demo-apps'])),
  // The one of two identity providers that lives in this process; a tenant lives elsewhere.
  restrictImports(
    ['embedded-provider', 'hosted-sessions'].map(
      (name) => `src/server/identity-provider/embedded/${name}.ts`,
    ),
    refusedForFeature('identity-provider/embedded', 'values'),
  ),
  restrictImports(
    ['src/openid-provider/testing/**', `src/openid-provider/${TESTS}`],
    refusedRooms('openid-provider', ['server']),
  ),

  // The folder's own files are the list of screens; the rule is for the screens below.
  restrictImports(
    ['src/portal/screens/*/**'],
    [
      ...refusedRooms('portal'),
      {
        // From screens/<screen>/x.tsx, `../<anything>/` is another screen; `../../ui/` is not.
        regex: '^\\.\\./[^.]|^(?:\\.\\./)+screens/',
        message: `A screen imports no other screen. ${SEE}`,
      },
    ],
  ),
  restrictImports(
    ['src/console/**'],
    [
      ...refusedRooms('console'),
      {
        // Parts and icons are shared; the flow and its screens belong to visitors.
        regex: '^#portal/(?:flow|lib|no-js|screens|shell|styles|testing)/|^#portal/[^/]+$',
        message: `console takes only the parts of ui. ${SEE}`,
      },
    ],
  ),
  restrictImports(
    ['src/portal/ui/**'],
    [
      ...refusedRooms('portal'),
      { regex: '^#contract/', message: `ui knows no contract. ${SEE}` },
      {
        regex: '^(?:\\.\\./)+(?:flow|screens)/|^#domain/flow(?:/|\\.ts$)',
        message: `ui knows no flow and no screen. ${SEE}`,
      },
    ],
  ),
];
