import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: true,
    // All cores: most of a server test is waiting for the database.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/{messages,domain,contract,portal}/**/*.test.ts', 'tools/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // `npm test` names a PostgreSQL in TEST_DATABASE_URL; without it these run on the embedded database.
          include: ['src/{server,identity,modules}/**/*.test.ts'],
          globalSetup: 'src/server/testing/database-copies.ts',
          // Several processes on one database: the embedded one has room for one. Tests of the embedded one alone run
          // once, on it.
          exclude: [
            process.env.TEST_DATABASE_URL ? '**/*.pglite.test.ts' : '**/*.postgres.test.ts',
          ],
          // Every test has a database of its own, and starting each file anew is a third of the work.
          isolate: false,
          // How long things take is the machine's affair; an embedded database takes seconds to start on a busy one.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
