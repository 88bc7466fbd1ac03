/** The real process in production: its output, and its name at the database. */

import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../command.ts';
import { freePort } from '../free-port.ts';
import { ROSEWOOD } from '../organisation.ts';
import { serversForEachTest } from '../start-folder.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';
import { until } from '../until.ts';

const SLOW_MS = 120_000;

let database: TestDatabase;
const { start, directory } = serversForEachTest();
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

function productionSettings(more: Record<string, string> = {}) {
  const modules = join(directory(), 'modules.json');
  writeFileSync(modules, '[]');
  return {
    PORCHLIGHT_MODE: 'production',
    DATABASE_URL: database.url ?? '',
    PORCHLIGHT_SECRET: 'kq8Zr2Wm5Xv7Bn1Ct4Yd6Fg9Hj3Lp0Qs',
    PORCHLIGHT_PUBLIC_URL: 'https://login.example.test',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'help@example.test',
    PORCHLIGHT_MODULES_FILE: modules,
    PORCHLIGHT_HELP_PHONE: '+1 555 010 0100',
    PORCHLIGHT_HELP_EMAIL: 'help@example.test',
    TRUSTED_PROXIES: 'none',
    PORCHLIGHT_DRAIN_SECONDS: '0',
    ...more,
  };
}

const production = (more?: Record<string, string>) => start(productionSettings(more));

/** Production from the file alone, with its secrets beside it. */
async function productionByFile(content: object) {
  const configFile = join(directory(), 'porchlight.json');
  writeFileSync(configFile, JSON.stringify(content));
  return start({
    PORCHLIGHT_CONFIG: configFile,
    DATABASE_URL: database.url ?? '',
    PORCHLIGHT_SECRET: 'kq8Zr2Wm5Xv7Bn1Ct4Yd6Fg9Hj3Lp0Qs',
    SMTP_URL: 'smtp://user:password@127.0.0.1:1',
    // Everything else comes from the file.
    ...Object.fromEntries(
      ['PORT', 'HOST', 'PORCHLIGHT_PUBLIC_URL', 'PORCHLIGHT_DATA_DIR'].map((name) => [name, '']),
    ),
  });
}

test(
  '[OPS-54] the file alone starts it, with secrets in the environment; its faults are told like all others',
  async () => {
    const port = await freePort();
    const secretHash = 'x'.repeat(43);
    const content = {
      mode: 'production',
      server: {
        host: '127.0.0.1',
        port,
        publicUrl: 'https://login.example.test',
        trustedProxies: ['none'],
        drainSeconds: 0,
      },
      mail: { from: 'help@example.test' },
      help: { phone: '+1 555 010 0100', email: 'help@example.test' },
      modules: [
        {
          id: 'admin',
          rootUrl: 'https://admin.example.test/',
          loginUrl: 'https://admin.example.test/login',
          secretHash,
        },
      ],
      portal: { mainImageMode: 2 },
    };
    const server = await productionByFile(content);
    expect(await server.started).toBeNull();
    expect(linesOf(server.output()).map(({ msg }) => msg)).toContain(
      'Porchlight is at https://login.example.test',
    );
    const settings = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'login.example.test', 'sec-fetch-site': 'same-origin' };
      const where = { host: '127.0.0.1', port, path: '/api/Settings/authSettings', headers };
      const asked = request(where, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.once('end', () => resolve(text));
      });
      asked.once('error', reject).end();
    });
    expect(JSON.parse(settings)).toMatchObject({ data: { mainImageMode: 2 } });
    const refused = await productionByFile({ ...content, prot: 1, crm: { key: 'canary' } });
    const said = await refused.started;
    expect(await refused.exited).toBe(1);
    // A name that this release does not know is no fault (decision 233).
    expect(said).not.toContain('prot:');
    expect(said).toMatch(/porchlight\.json:1 crm\.key: [^]*as CRM_KEY/);
    expect(said).not.toContain('canary');
  },
  SLOW_MS,
);

const linesOf = (output: string) =>
  output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { level: number; msg: string; time: number });

test(
  '[AUD-10] [R54] every line is JSON: starting, listening, draining, stopping, stopped',
  async () => {
    const server = await production();
    expect(await server.started).toBeNull();
    server.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    const lines = linesOf(server.output());
    const said = lines.map(({ msg }) => msg);
    const inOrder = [
      'Porchlight starts.',
      'Porchlight is at https://login.example.test',
      'draining',
      'stopping',
      'stopped',
    ];
    expect(said.filter((msg) => inOrder.includes(msg))).toEqual(inOrder);
    for (const line of lines) expect(line.time).toBeGreaterThan(0);
  },
  SLOW_MS,
);

test(
  '[PRV-04] [API-03] without CRM_URL the start says what becomes of leads; with it nothing',
  async () => {
    const warnings = (output: string) => linesOf(output).filter(({ msg }) => msg.includes('CRM'));
    const without = await production({ PORCHLIGHT_LEAD_DAYS: '12' });
    expect(await without.started).toBeNull();
    await until(() => warnings(without.output()).length > 0);
    expect(warnings(without.output())).toMatchObject([
      {
        level: 40,
        msg: 'CRM_URL is not set: leads are kept in the table received_leads for 12 days, and nobody is sent them.',
      },
    ]);
    const names = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database.db);
    expect(names.rows).toEqual([{ name: 'porchlight' }]);
    const withCrm = await production({ CRM_URL: 'https://crm.example.test/', CRM_KEY: 'key' });
    expect(await withCrm.started).toBeNull();
    expect(warnings(withCrm.output())).toEqual([]);
  },
  SLOW_MS,
);

test(
  '[ASR-05] nothing of a demo is there: no account, inbox, clock or module; only https from then on; no TRACE',
  async () => {
    const port = await freePort();
    const server = await production({ PORT: String(port) });
    expect(await server.started).toBeNull();
    const ask = (method: string, path: string) =>
      new Promise<{ status: number | undefined; hsts: string | undefined }>((resolve, reject) => {
        const headers = { host: 'login.example.test', 'sec-fetch-site': 'none' };
        const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
          const hsts = answer.headers['strict-transport-security'];
          answer.resume().once('end', () => resolve({ status: answer.statusCode, hsts }));
        });
        asked.once('error', reject).end();
      });
    const hsts = 'max-age=63072000; includeSubDomains';
    for (const path of ['/account/signin', '/api/health/live', '/idp/.well-known/jwks.json']) {
      expect([path, await ask('GET', path)]).toEqual([path, { status: 200, hsts }]);
      expect([path, (await ask('TRACE', path)).status]).toEqual([
        path,
        expect.toBeOneOf([404, 405]),
      ]);
    }
    const demo = ['/dev/inbox', '/dev/inbox.json', '/dev/mails', '/dev/leads.json', '/demo/admin'];
    for (const path of [...demo, '/demo/relying-party', '/metrics', '/.git/config']) {
      expect([path, await ask('GET', path)]).toEqual([path, { status: 404, hsts }]);
    }
    expect((await ask('POST', '/dev/clock')).status).toBe(404);
    expect(await database.db.selectFrom('users').select('id').execute()).toEqual([]);
  },
  SLOW_MS,
);

test(
  '[ORG-01] [FED-08] an organization of two instances: its people by SCIM, and no provider on this machine',
  async () => {
    const ports = [await freePort(), await freePort()];
    for (const port of ports) {
      expect(await (await production({ PORT: String(port) })).started).toBeNull();
    }
    const env = productionSettings();
    const file = join(directory(), 'rosewood.json');
    const organisation = async (change: object, ...words: string[]) => {
      writeFileSync(file, JSON.stringify({ ...ROSEWOOD, ...change }));
      return runCommand(env, 'organisation', ...words);
    };
    const house = await runCommand(env, 'subtenant', 'add', '742', 'Rosewood');
    expect(house.code).toBe(0);
    expect((await organisation({ issuer: 'http://localhost:4010' }, 'add', file)).code).toBe(1);
    // Its name leads to this machine: nothing is asked there.
    const near = { issuer: 'https://localhost:4010' };
    expect(await organisation(near, 'add', file)).toMatchObject({ code: 0 });
    expect((await organisation(near, 'check')).out).toContain('localhost is no public address');
    const { out } = await organisation(near, 'bearer', ROSEWOOD.id);
    const [bearer = ''] = /plscim_[\w-]+/.exec(out) ?? [];
    const scim = async (port: number, method: string, path: string, body: object | null) => {
      const address = `http://127.0.0.1:${port}/scim/v2/${path}`;
      const response = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const said = (await response.json()) as { readonly id: string; readonly active: boolean };
      return { status: response.status, ...said };
    };
    const [one = 0, other = 0] = ports;
    const ana = { userName: 'ana@rosewood.example', externalId: 'ana', active: true };
    const { status, id } = await scim(one, 'POST', 'Users', ana);
    expect(status).toBe(201);
    expect(await scim(other, 'GET', `Users/${id}`, null)).toMatchObject({ active: true });
    expect(await scim(other, 'PUT', `Users/${id}`, { ...ana, active: false })).toMatchObject({
      status: 200,
    });
    expect(await scim(one, 'GET', `Users/${id}`, null)).toMatchObject({ active: false });
  },
  SLOW_MS,
);
