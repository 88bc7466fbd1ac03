import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const ROOMS = 'src/{cli,server,openid-provider,demo-apps,module-kit}/**';
const SERVER = `${ROOMS}/*.test.ts`;
/** What `npm test` leaves out and `.ci/run` has: matrices, crowds, kills, outages, and what needs programs that few have. */
const FULL = `${ROOMS}/*.full{,.*}.test.ts`;

/** `short`: `npm test`. `rest`: what that leaves out. `all`: both. */
const choice = process.env.PORCHLIGHT_TESTS ?? 'short';

export default defineConfig({
  test: {
    passWithNoTests: true,
    // One more than there are cores: most of a server test is waiting for the database.
    maxWorkers: availableParallelism() + 1,
    // Starting each file anew is a third of the work, and buys nothing: tests keep what they make to themselves.
    isolate: false,
    // How long things take is the machine's affair: on a busy one an embedded database takes half a minute to start, and
    // for a journey of fifty requests.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    tags: [
      {
        name: 'long',
        description:
          '`.ci/run` has it, `npm test` not: it takes longer than most, and is neither the first of its group, nor a race, nor something that was found wrong once.',
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // All but the server's, so that a new room's tests are never left out.
          include: ['src/**/*.test.ts', '{tools,load}/**/*.test.ts'],
          exclude: [SERVER],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // `npm test` names a PostgreSQL in TEST_DATABASE_URL; without it these run on the embedded database.
          include: [choice === 'rest' ? FULL : SERVER],
          globalSetup: ['tools/ensure-built.ts', 'src/server/testing/database-copies.ts'],
          // Several processes on one database: the embedded one has room for one. Tests of the embedded one alone run
          // once, on it.
          exclude: [
            process.env.TEST_DATABASE_URL ? '**/*.pglite.test.ts' : '**/*.postgres.test.ts',
            ...(choice === 'short' ? [FULL] : []),
          ],
        },
      },
    ],
  },
});
