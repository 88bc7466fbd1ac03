/** The real server on a real database, with a clock that tests move and visitors who behave like browsers. */

import { rmSync } from 'node:fs';
import type { KyselyPlugin } from 'kysely';
import { type App, createApp } from '../wiring/app.ts';
import { withMessages } from '../wiring/command-context.ts';
import type { Config } from '../config/config.ts';
import { demoConsole } from '../config/console-config.ts';
import { defaultTimers } from './timers.ts';
import { migrate } from '../db/migrate.ts';
import type { FullContext } from '../access/context.ts';
import { createAudit } from '../audit/audit.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { createOutbox } from '../jobs/outbox.ts';
import type { DeadJob, Handler } from '../jobs/job.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { SECRET } from './database-copies.ts';
import { dumpTables } from './dump.ts';
import { freePort } from './free-port.ts';
import { newestCode, type InboxMessage, readInbox } from './inbox.ts';
import { writeStubBuild } from './stub-build.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export { SECRET } from './database-copies.ts';
export { activation, PASSWORD, signUpBody, type Visitor } from './visitor.ts';

export type TestApp = {
  readonly url: string;
  readonly app: App;
  readonly database: TestDatabase;
  readonly db: TestDatabase['db'];
  readonly clock: TestClock;
  readonly config: Config;
  /** A browser of its own, from a network address of its own. */
  visitor(ip?: string): Visitor;
  /** Newest first. */
  inbox(to: string): Promise<readonly InboxMessage[]>;
  codeFor(email: string): Promise<string>;
  leads(): Promise<readonly Record<string, unknown>[]>;
  /** Every row of every table as text, as a thief of the database would read it. */
  dump(): Promise<string>;
  close(): Promise<void>;
};

/** A function where the settings need the server's address. */
export type TestAppOptions = Partial<Config> | ((url: string) => Partial<Config>);

/**
 * Room for the bursts of tests: past the product's bound (decision 141) a request waits for 8 s, and a busy machine takes
 * longer than that for 64 guesses.
 */
const MANY_AT_ONCE: Config['limits'] = { requestsAtOnce: { max: 1000, windowMs: 1000 } };

export function testConfig(publicUrl: string, overrides: Partial<Config> = {}): Config {
  return {
    mode: 'demo',
    host: '127.0.0.1',
    port: Number(new URL(publicUrl).port),
    publicUrl,
    dataDirectory: '',
    databaseUrl: null,
    databasePool: 10,
    secretFiles: [],
    secret: SECRET,
    previousSecrets: [],
    keyRotationDays: 90,
    drainSeconds: 0,
    mail: null,
    twilio: null,
    smsWebhook: null,
    deliveryReportsKey: null,
    smsCountries: [],
    smsDailyLimit: 5000,
    voice: null,
    voiceCountries: [],
    voiceDailyLimit: 300,
    crm: null,
    events: null,
    // As in the product: an answer that a busy machine gives late must not be asked for twice.
    providerTimeoutMs: 5000,
    tenant: null,
    // Visitors name their address in X-Forwarded-For.
    trustedProxies: ['127.0.0.1'],
    enumerationProtection: 'balanced',
    captcha: { isAlways: false, work: 2 },
    limitFactor: 1,
    timers: defaultTimers,
    mainImageMode: 1,
    stepGapMs: 400,
    fullWidthPaths: [],
    help: { phone: '+1 555 010 0199', email: 'help@example.test' },
    helpHours: null,
    timeZone: 'UTC',
    countries: [],
    languages: [],
    logosDirectory: null,
    modules: [],
    warnings: [],
    clients: [],
    apis: [],
    defaultAudience: null,
    isPasswordGrantOn: false,
    offersAppCodes: true,
    keys: { rpId: 'localhost', isAutomatic: false, acceptsChange: false },
    metricsToken: null,
    traces: null,
    // A copy: tests name other people in it, and files share their process.
    console: [...demoConsole],
    auditDays: 365,
    leadDays: 30,
    logLevel: 'silent',
    ...overrides,
    limits: { ...MANY_AT_ONCE, ...overrides.limits },
  };
}

/** The shared database, in place of one of its own. */
type TestAppParts = {
  readonly plugins?: readonly KyselyPlugin[];
  readonly database?: TestDatabase;
};

/**
 * A whole server, without the portal's pages unless `build` names a folder, on a database of its own unless one is
 * given. `limitFactor` is 1 unless given: the real limits.
 */
export async function createTestApp(
  options: TestAppOptions = {},
  build: string | null = null,
  { plugins = [], database: given }: TestAppParts = {},
): Promise<TestApp> {
  const clock = createTestClock();
  const port = (typeof options === 'function' ? null : options.port) ?? (await freePort());
  const url = `http://localhost:${port}`;
  const config = testConfig(url, typeof options === 'function' ? options(url) : options);
  const content = config.secret === SECRET ? 'keyed' : 'migrated';
  const database = given ?? (await openTestDatabase(content));
  const app = await createApp({
    config,
    database: { ...database, db: plugins.reduce((db, each) => db.withPlugin(each), database.db) },
    clock,
    build,
    hashingCost: { memoryCost: 8, timeCost: 1 },
  });
  await app.fastify.listen({ host: '127.0.0.1', port });
  const { db } = database;

  async function read<T>(path: string): Promise<T> {
    const response = await fetch(new URL(path, url));
    return (await response.json()) as T;
  }
  const inbox = (to: string) => readInbox(url, to);
  const codeFor = (email: string) => newestCode(url, email);

  return {
    url,
    app,
    database,
    db,
    clock,
    config,
    visitor: (ip) => createVisitor({ url, codeFor }, ip),
    inbox,
    codeFor,
    leads: () => read('/dev/leads.json'),
    dump: () => dumpTables(db),
    close: () => app.close(),
  };
}

/** The same with pages: of a stub of the built portal, which goes at the end. */
export async function createTestAppWithPages(
  options: TestAppOptions = {},
  parts: TestAppParts = {},
): Promise<TestApp> {
  const build = writeStubBuild();
  const testApp = await createTestApp(options, build, parts);
  const close = async () => {
    await testApp.close();
    rmSync(build, { recursive: true, force: true });
  };
  return { ...testApp, close };
}

/** Creates the context of a feature on a migrated database, without a server. */
export async function createTestContext(
  handlers: Record<string, Handler> = {},
  overrides: Partial<Config> = {},
) {
  const database = await openTestDatabase();
  const { db } = database;
  await migrate(db);
  const clock = createTestClock();
  const config = testConfig('http://localhost:3000', overrides);
  const secretBox = createSecretBox(config.secret, config.previousSecrets);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const dead: DeadJob[] = [];
  const onDead = async (job: DeadJob) => void dead.push(job);
  const outbox = createOutbox({ db, clock, secretBox, onError, onDead });
  for (const [kind, deliver] of Object.entries(handlers)) outbox.define({ kind, deliver });
  const rateLimits = createRateLimits({
    db,
    clock,
    secretBox,
    config,
  });
  const audit = createAudit({ db, clock });
  const command = withMessages({ db, clock, config, secretBox, audit, outbox });
  const context: FullContext = { ...command, rateLimits };
  return { ...context, clock, database, errors, dead };
}
