/** Every path of a visitor, the jobs and an operator's questions, once, on a crowded database. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendTrialReminders } from '../accounts/trial-reminders.ts';
import { createSealing } from '../audit/sealing.ts';
import { createClock } from '../core/clock.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { openDatabase } from '../db/database.ts';
import { defaultTimers } from './timers.ts';
import { createCleanup } from '../jobs/cleanup.ts';
import { runCommand } from './command.ts';
import { emailOfCrowd } from './crowded-database.ts';
import { freePort } from './free-port.ts';
import { readInbox } from './inbox.ts';
import { endProcess, startProcess } from './server-process.ts';
import { PASSWORD, signUpBody, type Visitor } from './visitor.ts';
import { createWire, SPA, SPA_ORIGIN } from './wire.ts';

/** A server that had the database before has to have the same. */
export const SECRET_OF_CROWD = 'the-secret-of-a-crowded-database-long';
const METRICS_TOKEN = 'the-token-of-whoever-scrapes-this-server';

/** There is no such request, nothing to send again, and a demo is no production. */
const FINDS_NOTHING = ['support no-such-reference', 'outbox retry all', 'doctor'];

type Options = {
  readonly databaseUrl: string;
  /** How many accounts the crowd has: at least 100. */
  readonly size: number;
  /** Called after each path, with its name. */
  readonly onDone: (path: string) => void;
};

/** Starts a server on the database and goes every path there. @throws Error where a path does not lead on */
export async function goEveryPath({ databaseUrl, size, onDone }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-paths-'));
  const clientsFile = join(folder, 'clients.json');
  const page = {
    redirectUris: [`${SPA_ORIGIN}/callback`],
    webOrigins: [SPA_ORIGIN],
    firstParty: true,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    grants: ['authorization_code', 'refresh_token'],
  };
  writeFileSync(clientsFile, JSON.stringify([{ id: SPA, name: 'Page', ...page }]));
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(await freePort()),
    PORCHLIGHT_DATA_DIR: folder,
    PORCHLIGHT_SECRET: SECRET_OF_CROWD,
    PORCHLIGHT_METRICS_TOKEN: METRICS_TOKEN,
    PORCHLIGHT_CLIENTS_FILE: clientsFile,
    PORCHLIGHT_CAPTCHA_WORK: '1',
    PORCHLIGHT_DRAIN_SECONDS: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const server = await startProcess(env);
  try {
    const refusal = await server.started;
    if (refusal !== null) throw new Error(refusal);
    onDone('start');
    const { url } = server;
    const wire = createWire(server);
    const email = emailOfCrowd(Math.floor(size / 2) + 3);
    const visitor = server.visitor();
    const paths: Readonly<Record<string, () => Promise<unknown>>> = {
      async pages() {
        for (const path of ['/', '/auth/login', '/auth/sign-up'])
          await (await visitor.request(path)).text();
        await visitor.ok('checkUser', { params: { email } });
        await visitor.ok('isAuthUser', { params: { email } });
      },
      'sign-in': () => visitor.signIn(email, PASSWORD),
      'state of a visit': () => visitor.ok('getVisit', {}),
      'sign-in again': () => visitor.complete(),
      'hand-off': () => handOff(visitor),
      async refresh() {
        const { refresh_token } = await wire.tokens(visitor);
        const grant = { grant_type: 'refresh_token', client_id: SPA, refresh_token };
        const { status } = await wire.token(grant);
        if (status !== 200) throw new Error(`The refresh was answered with ${status}`);
      },
      consents: () => visitor.ok('getConsents', {}),
      'sign-up, code and activation': () =>
        server.visitor().register({ emailAddress: 'new@crowd.test' }),
      async 'sign-up of an address that is taken'() {
        const other = server.visitor();
        await other.call('createUser', { body: signUpBody({ emailAddress: email }) });
      },
      async 'activation by a link'() {
        const other = server.visitor();
        const pending = emailOfCrowd(49);
        await other.ok('checkUser', { params: { email: pending } });
        await other.call('getActivationLink', {});
        await other.call('createActivationLink', { body: { emailId: pending } } as never);
      },
      async 'wrong password'() {
        await server.visitor().givePassword(email, 'Not-the-password-1');
      },
      reset: () => reset(url, server.visitor(), emailOfCrowd(Math.floor(size / 2) + 5)),
      'sign-out': () =>
        visitor.ok('logOut', {
          params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
        }),
      async metrics() {
        const answer = await fetch(`${url}/metrics`, {
          headers: { authorization: `Bearer ${METRICS_TOKEN}` },
        });
        if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
        await answer.text();
      },
      jobs: () => runJobs(databaseUrl),
    };
    for (const [name, go] of Object.entries(paths)) {
      await go().catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`, { cause: error });
      });
      onDone(name);
    }
    const operator: readonly (readonly string[])[] = [
      ['support', email],
      ['support', 'no-such-reference'],
      ['user', 'show', email],
      ['user', 'list', '--count', '20'],
      ['user', 'list', '--role', '4'],
      ['user', 'unlock', email],
      ['user', 'suspend', email],
      ['user', 'resume', email],
      ['user', 'export', email],
      ['user', 'erase', email, '--yes'],
      ['outbox', 'list'],
      ['outbox', 'retry', 'all'],
      ['doctor'],
    ];
    for (const words of operator) {
      const { code, err } = await runCommand(
        { ...env, PORCHLIGHT_PUBLIC_URL: url, NODE_ENV: 'production' },
        ...words,
      );
      if (code !== 0 && !(code === 1 && FINDS_NOTHING.includes(words.join(' '))))
        throw new Error(`${words.join(' ')}: ${err}`);
      onDone(`porchlight ${words.slice(0, 2).join(' ')}`);
    }
  } finally {
    await endProcess(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function handOff(visitor: Visitor): Promise<void> {
  const { url } = await visitor.ok('issueHandoff', { body: { choice: null, entrance: 'portal' } });
  const { status } = await visitor.request(url);
  if (status !== 303) throw new Error(`The module answered ${status}`);
}

async function reset(url: string, visitor: Visitor, email: string): Promise<void> {
  await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
  const mail = (await readInbox(url, email)).find(({ link }) => link?.includes('resetPassword'));
  const key = new URL(mail?.link ?? '').searchParams.values().next().value ?? '';
  const found = await visitor.ok('getResetUser', { params: { resetKey: key, ip: '::1' } });
  if (!found) throw new Error('The link leads to nobody');
  const { userName, userId, hostedUserId, forgotPasswordId } = found;
  await visitor.ok('updatePassword', {
    body: {
      userName,
      userId,
      hostedUserId: hostedUserId ?? '',
      password: `${PASSWORD}-new`,
      forgotPasswordId,
    },
  });
}

/** What an instance does by itself once an hour. @throws Error when a part of it fails */
export async function runJobs(databaseUrl: string): Promise<void> {
  const { db, close } = await openDatabase({ url: databaseUrl });
  const clock = createClock();
  const secretBox = createSecretBox(SECRET_OF_CROWD);
  const failed: unknown[] = [];
  const cleanup = createCleanup({
    db,
    clock,
    auditDays: 365,
    leadDays: 30,
    timers: defaultTimers,
    sealing: createSealing({ db, clock, secretBox }),
    onDone: () => undefined,
    onDeadLetters: () => undefined,
    onError: (error, table) => void failed.push(table, error),
  });
  try {
    await cleanup.run();
    const outbox = { wake: () => undefined };
    const context = { db, clock, outbox } as unknown as Parameters<typeof sendTrialReminders>[0];
    await sendTrialReminders(context, async () => undefined);
  } finally {
    await close();
  }
  if (failed.length > 0) throw new Error(`clean-up: ${failed.map(String).join(' ')}`);
}
