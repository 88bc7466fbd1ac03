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
          include: ['src/{locales,domain,contract,portal}/**/*.test.ts', 'tools/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          // Without TEST_DATABASE_URL these run on the embedded database. `npm test` runs them
          // twice, the second time on a PostgreSQL of their own.
          include: ['src/{server,openid-provider,modules}/**/*.test.ts'],
          globalSetup: 'src/server/testing/database-copies.ts',
          // Several processes on one database: the embedded one has room for one. Tests of the embedded one alone run
          // once, on it.
          exclude: [
            process.env.TEST_DATABASE_URL ? '**/*.pglite.test.ts' : '**/*.postgres.test.ts',
          ],
          // How long things take is the machine's affair; an embedded database takes seconds to start on a busy one.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
