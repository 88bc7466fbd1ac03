// Who may import whom, as data: docs/architecture.md shows this table to people,
// oxlint.config.ts turns it into lint rules, tools/boundaries.test.ts proves that they bite.
//
// Patterns are regular expressions of Rust's kind (no look-ahead) and never gitignore groups:
// in oxlint a negation inside a group silently lets imports pass the other patterns as well.

import type { OxlintOverride } from 'oxlint';

const ROOMS = [
  'messages',
  'domain',
  'contract',
  'identity',
  'modules',
  'server',
  'portal',
] as const;
type Room = (typeof ROOMS)[number];

interface Pattern {
  regex: string;
  message: string;
  allowTypeImports?: boolean;
}

/** The rooms each room may import; whatever is not here is refused. */
const MAY_IMPORT: Record<Room, readonly Room[]> = {
  messages: [],
  domain: ['messages'],
  contract: ['domain', 'messages'],
  identity: ['domain', 'contract', 'messages'],
  modules: ['domain'],
  server: ['domain', 'contract', 'messages'],
  portal: ['domain', 'contract', 'messages'],
};

/** Here only types may come from the room beside; for everything else a value is welcome. */
const ONLY_TYPES: Partial<Record<Room, Room>> = { domain: 'messages', contract: 'messages' };

/** Capabilities of the server: each one a folder that knows nothing of the others. */
export const FEATURES = [
  'users',
  'otp',
  'activation',
  'password',
  'sessions',
  'subtenants',
  'reference',
  'leads',
  'hand-off',
  'clients',
  'hosted',
] as const;

/** The same text in every refusal, because a reader meets only one of them. */
const SEE = 'See the import table in docs/architecture.md.';

function refuseRoom(from: Room, to: Room): Pattern {
  return { regex: `^#${to}/`, message: `${from} may not import ${to}. ${SEE}` };
}

/** A relative path into another room would slip past the names with a number sign. */
const REFUSE_RELATIVE: Pattern = {
  regex: `^\\.\\.?/(?:.*/)?(?:${ROOMS.join('|')})/`,
  message: `Another room is imported by its name (#domain/…), never by a relative path. ${SEE}`,
};

/** Matches every package but zod. */
const REFUSE_LIBRARIES: Pattern = {
  regex: '^(?:[^.#z]|z$|z[^o]|zo$|zo[^d]|zod[^/])',
  message: `This room is pure: no library but zod and nothing of Node. ${SEE}`,
};

const REFUSE_ALL_LIBRARIES: Pattern = {
  regex: '^[^.#]',
  message: `messages is plain data: it imports nothing. ${SEE}`,
};

function refusedRooms(room: Room, extra: readonly Room[] = []): Pattern[] {
  const patterns = ROOMS.filter(
    (other) => other !== room && !MAY_IMPORT[room].includes(other) && !extra.includes(other),
  ).map((other) => refuseRoom(room, other));
  const typesOnly = ONLY_TYPES[room];
  if (typesOnly) {
    patterns.push({
      regex: `^#${typesOnly}/`,
      message: `${room} may import only types of ${typesOnly}. ${SEE}`,
      allowTypeImports: true,
    });
  }
  // A room's own name would hide from the rules below that look at relative paths.
  patterns.push({
    regex: `^#${room}/`,
    message: 'Inside a room imports are relative.',
  });
  return [...patterns, REFUSE_RELATIVE];
}

function refuseFeatures(feature: (typeof FEATURES)[number]): Pattern {
  return {
    regex: `^\\.\\./(?:.*/)?(?:${FEATURES.filter((other) => other !== feature).join('|')})/`,
    message: `Features of the server meet only in src/server/app.ts and src/server/wiring/. ${SEE}`,
  };
}

function refusedForHostedLogin(): Pattern[] {
  return [
    ...refusedRooms('server', ['identity']),
    { ...refuseRoom('server', 'identity'), allowTypeImports: true },
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
  restrictImports(['src/locales/**'], [...refusedRooms('messages'), REFUSE_ALL_LIBRARIES], [TESTS]),
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

  ...FEATURES.map((feature) =>
    restrictImports(
      [`src/server/${feature}/**`],
      [...refusedRooms('server'), refuseFeatures(feature)],
    ),
  ),
  // The composition: the only place that knows the hosted login and the demo modules. Tests may
  // compose as well: the store of the hosted login is tested with it, and it with the real store.
  restrictImports(
    [
      'src/server/{app,main}.ts',
      'src/server/wiring/**',
      'src/server/testing/**',
      `src/server/${TESTS}`,
    ],
    refusedRooms('server', ['identity', 'modules']),
  ),
  // The one of two hosted logins that lives in this process; a tenant lives elsewhere.
  restrictImports(
    ['src/server/identity-provider/embedded/embedded.ts'],
    refusedRooms('server', ['identity']),
  ),
  restrictImports(
    ['src/openid-provider/testing/**', `src/openid-provider/${TESTS}`],
    refusedRooms('identity', ['server']),
  ),
  // Implements the ports that identity declares, and so has to know their types.
  restrictImports(['src/server/identity-provider/embedded/store.ts'], refusedForHostedLogin()),
  restrictImports(
    ['src/server/hosted/**'],
    [...refusedForHostedLogin(), refuseFeatures('hosted')],
    [TESTS],
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
