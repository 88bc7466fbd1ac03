// Server tests run on PostgreSQL. These files run on the embedded database as well, because what they prove is not the
// same there; `*.pglite.test.ts` run on it alone. `npm run test:all` adds those of `other-postgres.ts`, and the browser.

export const EMBEDDED_TESTS = [
  // A process that is killed: what was answered is on disk.
  'src/server/testing/system/killed-sign-ups.full.test.ts',
  // Files in place of pg_dump and pg_restore.
  'src/cli/backup/backup.full.test.ts',
  // Migrations and demo data.
  'src/server/demo/seed.test.ts',
] as const;

/** Files that speak of the embedded database and have nothing to prove on it, with the reason. */
export const NOT_EMBEDDED_TESTS: Readonly<Record<string, string>> = {
  'src/server/config/config-file.test.ts': 'opens no database',
  'src/server/abuse/request-bounds.test.ts':
    'tells the health routes which database there is, no more',
  'src/server/jobs/crash.full.test.ts': 'what is on disk after a kill is shown by killed sign-ups',
  'src/server/jobs/dead-letters.full.test.ts':
    'commands on a data directory are shown by the start test',
  'src/server/crypto/secret.full.test.ts':
    'commands on a data directory are shown by the start test',
  'src/server/testing/system/start.full.test.ts':
    'tells the processes of the tests where their database is, no more',
  'src/server/wiring/serve.full.test.ts':
    'tells the process of the test where its database is, no more',
  'src/server/http/log.test.ts': 'tells the process of the test where its database is, no more',
  'src/server/http/tracing/traces.full.test.ts':
    'tells the process of the test where its database is, no more',
  'src/cli/cli.full.test.ts': 'opens an embedded database itself, in every run',
  'src/server/testing/system/canary.full.test.ts':
    'opens an embedded database itself, in every run',
  'src/server/sign-up/promo-race.test.ts': 'a race, which one connection cannot lose',
  'src/server/sign-up/sign-up-races.test.ts': 'a race, which one connection cannot lose',
  'src/server/accounts/trial-reminders.full.test.ts': 'a race, which one connection cannot lose',
  'src/server/hand-off/hand-off.test.ts': 'a race, which one connection cannot lose',
  'src/server/jobs/outbox.test.ts': 'a race, which one connection cannot lose',
  'src/server/proofs/otp/otp.test.ts': 'a race, which one connection cannot lose',
  'src/server/sign-in/password-check.test.ts': 'a race, which one connection cannot lose',
  'src/server/proofs/password/resets.test.ts': 'a race, which one connection cannot lose',
};
