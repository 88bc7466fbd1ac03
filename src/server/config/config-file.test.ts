import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MODULE_IDS } from '#domain/people/roles.ts';
import { loadConfig, readConfig } from './config.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-config-file-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const path = join(directory, 'porchlight.json');

const modules = MODULE_IDS.map((id) => ({
  id,
  rootUrl: `https://${id}.example.org/`,
  loginUrl: `https://${id}.example.org/login`,
  secretHash: 'x'.repeat(43),
  sealedTo: null,
  signOutUrl: null,
  accepts: ['otp'],
}));
const clients = [{ id: 'garden', name: 'Garden', redirectUris: ['https://garden.example.org/'] }];
const apis = [{ identifier: 'https://api.example.org/', scopes: ['read:x'] }];
const limits = { textPerRange: { max: 7 } };

writeFileSync(join(directory, 'secret'), '8sJx0qkXhTz4mV2cRb7wLpYd5nGf9aEu\n');
writeFileSync(
  join(directory, 'dkim.pem'),
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
writeFileSync(join(directory, 'modules.json'), JSON.stringify(modules));
mkdirSync(join(directory, 'logos'));

/** What may not stand in the file. */
const secrets = {
  DATABASE_URL: 'postgres://porchlight:password@db.example.org/porchlight',
  SMTP_URL: 'smtps://user:password@mail.example.org',
};

/** Every setting that may, with a value that is not its default. */
const content = {
  mode: 'production',
  server: {
    host: '0.0.0.0',
    port: 8080,
    publicUrl: 'https://login.example.org',
    trustedProxies: ['10.0.0.0/8', 'loopback'],
    drainSeconds: 7,
    logLevel: 'error',
  },
  database: { pool: 25, directory: 'files' },
  console: { helpDesk: ['742:3', '900:3'], operators: ['account:17'] },
  keys: { secretFile: 'secret', rotationDays: 30 },
  mail: {
    from: 'Rosewood <no-reply@example.org>',
    envelopeFrom: 'bounces@example.org',
    dkim: { domain: 'example.org', selector: 'porch', keyFile: 'dkim.pem' },
  },
  sms: {
    twilio: {
      accountSid: `AC${'0'.repeat(32)}`,
      from: '+15550100199',
      apiUrl: 'https://api.ie1.twilio.com',
    },
    countries: ['US', 'IN'],
    dailyLimit: 900,
  },
  whatsApp: { from: '+15550100198', contentSid: `HX${'0'.repeat(32)}` },
  voice: { from: '+15550100197', countries: ['US', 'CA'], dailyLimit: 40 },
  crm: { url: 'https://crm.example.org/', tag: 'porch', keepLeadsDays: 3 },
  events: { url: 'https://events.example.org/' },
  hostedLogin: {
    domain: 'login.example.org',
    tenantDomain: 'porch.eu.auth0.com',
    issuer: 'https://porch.eu.auth0.com/',
    clientId: 'portal',
    realm: 'members',
    audience: 'urn:porchlight',
    organization: 'org_1',
    backend: { clientId: 'backend' },
  },
  modules,
  clients,
  apis,
  oauth: { defaultAudience: 'https://api.example.org/', passwordGrant: true },
  signIn: {
    appCodes: true,
    keys: true,
    keysAutomatic: true,
    rpId: 'login.example.org',
    rpIdChange: 'accept',
  },
  limits,
  timers: {
    sessionIdleMinutes: 20,
    staffIdleMinutes: 10,
    sessionHours: 8,
    resetLinkMinutes: 15,
    activationLinkHours: 6,
    invitationDays: 2,
    unprovenAccountDays: 3,
    messageDays: 14,
  },
  enumeration: 'strict',
  captcha: { when: 'always', work: 9 },
  portal: {
    countries: ['US'],
    languages: ['en'],
    mainImageMode: 3,
    stepGapMs: 350,
    fullWidthPaths: ['/account/signin'],
    logosDirectory: 'logos',
    timeZone: 'America/New_York',
  },
  help: {
    phone: '+1 555 010 0123',
    email: 'help@example.org',
    hours: 'Mon-Fri 8:00-18:00, Sat 9:00-12:00',
  },
  audit: { days: 400 },
  traces: {
    endpoint: 'http://collector:4318',
    url: 'https://collector.example.org/v1/traces',
    serviceName: 'porch',
    share: 0.25,
  },
};
const keys = {
  TWILIO_AUTH_TOKEN: 'x'.repeat(32),
  CRM_KEY: 'key',
  PORCHLIGHT_EVENTS_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET: 'a secret of sixteen characters',
};

const valueAt = (where: string): unknown =>
  where
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      content,
    );

/** The same settings as the environment has them. */
function asEnvironment(): NodeJS.ProcessEnv {
  const rows: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);
  const given = rows.flatMap(([name, row]): [string, string][] => {
    const value = valueAt(row.path);
    if (value === undefined) return [];
    if (row.form === 'file') return [[name, join(directory, value as string)]];
    if (row.form === 'switch') return [[name, 'on']];
    if (row.form === 'list') return [[name, (value as string[]).join(',')]];
    if (row.form === 'json') return [[name, JSON.stringify(value)]];
    if (row.form !== 'document')
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
    const file = join(directory, `${row.path}-alone.json`);
    writeFileSync(file, JSON.stringify(value));
    return [[name, file]];
  });
  return Object.fromEntries(given);
}

function write(text: unknown): NodeJS.ProcessEnv {
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text, null, 2));
  return { PORCHLIGHT_CONFIG: path };
}
/** A demo whose embedded database stays in the folder of the test. */
const faultsOf = (text: unknown, more: NodeJS.ProcessEnv = {}) =>
  readConfig({ ...write(text), PORCHLIGHT_DATA_DIR: directory, ...more }).faults;
const warningsOf = (text: unknown, more: NodeJS.ProcessEnv = {}) =>
  readConfig({ ...write(text), PORCHLIGHT_DATA_DIR: directory, ...more }).warnings;

describe('[OPS-54] porchlight.json', () => {
  test('has a place for every setting that is no secret, and means what the environment means', () => {
    const rows: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);
    const left = rows.filter(([, { path: at, form }]) => form !== 'secret' && !valueAt(at));
    // Those hold a password more often than not; the webhook is the other way for texts.
    expect(left.map(([name]) => name)).toEqual([
      'DATABASE_URL',
      'SMTP_URL',
      'SMS_WEBHOOK_URL',
      'VOICE_WEBHOOK_URL',
    ]);
    const others = { ...secrets, ...keys };
    const byFile = readConfig({ ...write(content), ...others });
    expect(byFile.faults).toEqual([]);
    expect(byFile.config).toEqual(loadConfig({ ...asEnvironment(), ...others }));
    expect(byFile.config?.secret).toBe('8sJx0qkXhTz4mV2cRb7wLpYd5nGf9aEu');
    // `porchlight doctor` looks who may read these (OPS-103).
    const held = ['secret', 'dkim.pem'].map((name) => join(directory, name));
    expect(byFile.config?.secretFiles).toEqual(held);
  });

  test('may have comments, commas behind the last member, and the address of its schema', () => {
    const text =
      '{ // where\n "$schema": "porchlight.schema.json", "server": { "port": 81, /* ! */ }, }';
    const config = loadConfig({ ...write(text), PORCHLIGHT_DATA_DIR: directory });
    expect(config.port).toBe(81);
  });

  test('the environment wins, setting by setting; an empty one is none on either side', () => {
    const text = { server: { port: 81, host: '0.0.0.0', publicUrl: '' }, clients, modules: '' };
    const config = loadConfig({
      ...write(text),
      PORCHLIGHT_DATA_DIR: directory,
      PORT: '82',
      HOST: '',
      PORCHLIGHT_CLIENTS_FILE: writeClients([{ ...clients[0], id: 'orchard' }]),
    });
    expect(config).toMatchObject({ port: 82, host: '0.0.0.0', publicUrl: 'http://localhost:82' });
    expect(config.clients.map(({ id }) => id)).toEqual(['orchard']);
    expect(config.modules).toEqual([]);
  });

  test('a secret of the environment is chosen before the file that the configuration names', () => {
    const secret = 'pYd5nGf9aEu8sJx0qkXhTz4mV2cRb7wL';
    const text = { keys: { secretFile: 'nowhere' } };
    const more = { PORCHLIGHT_DATA_DIR: directory };
    expect(loadConfig({ ...write(text), ...more, PORCHLIGHT_SECRET: secret }).secret).toBe(secret);
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^porchlight\.json:3 keys\.secretFile: .*: there is no such file$/),
    ]);
  });

  test('names of files are meant from where it lies; the old lists may be named', () => {
    const config = loadConfig({
      ...write({ modules: 'modules.json', portal: { logosDirectory: 'logos' } }),
      PORCHLIGHT_DATA_DIR: directory,
    });
    expect(config.modules).toEqual(modules);
    expect(config.logosDirectory).toBe(join(directory, 'logos'));
  });

  test('a demo takes modules and clients from it', () => {
    const local = [{ ...clients[0], redirectUris: ['http://localhost:4000/callback'] }];
    const text = { modules: modules.slice(0, 1), clients: local };
    const { config, warnings } = readConfig({ ...write(text), PORCHLIGHT_DATA_DIR: directory });
    expect(config?.modules.map(({ id }) => id)).toEqual([MODULE_IDS[0]]);
    expect(config?.clients.map(({ id }) => id)).toEqual(['garden']);
    expect(warnings).toEqual([]);
    expect(faultsOf({ ...text, mode: 'production' }).join('\n')).toMatch(
      /porchlight\.json:\d+ clients\.0\.redirectUris\.0: must be an https address/,
    );
  });

  test('none says that no file is read; one that is not there is a fault', () => {
    const none = { PORCHLIGHT_CONFIG: 'none', PORCHLIGHT_DATA_DIR: directory };
    expect(loadConfig(none).port).toBe(3000);
    expect(readConfig({ ...none, PORCHLIGHT_CONFIG: '/nowhere/porchlight.json' }).faults).toEqual([
      expect.stringMatching(/^PORCHLIGHT_CONFIG .*: there is no such file$/),
    ]);
  });
});

function writeClients(entries: unknown): string {
  const file = join(directory, 'clients.json');
  writeFileSync(file, JSON.stringify(entries));
  return file;
}

describe('[OPS-54] faults of porchlight.json', () => {
  test('are told all at once, each with its line, its place, and what is allowed', () => {
    const text = `{
  "mode": "staging",
  "server": { "port": 70000, "host": 7,
    "hosts": "localhost", "trustedProxies": "none" },
  "PORT": 80,
  "prot": 80,
  "port": 80,
  "limits": { "textPerRnge": { "max": 7 },
    "textPerRange": { "max": 0 } },
  "clients": [{ "id": "garden", "name": "Garden", "redirectUris": [
    "http://garden.example.org/"] }],
  "modules": [{ "id": "mailer" }],
  "oauth": { "passwordGrant": "on" },
  "help": "nobody",
  "portal": { "countries": ["US,IN"], "timeZone": "Mars/Olympus" },
}`;
    const faults = faultsOf(text, { SMTP_URL: 'http://mail' });
    const at = (line: number, rest: string) =>
      expect.stringMatching(new RegExp(`^porchlight\\.json:${line} ${rest}`)) as string;
    expect(faults).toEqual([
      at(3, 'server\\.host: must be a text in quotes'),
      at(4, 'server\\.trustedProxies: must be a list of texts without commas'),
      at(13, 'oauth\\.passwordGrant: must be true or false'),
      at(14, 'help: must be an object'),
      at(15, 'portal\\.countries: must be a list of texts without commas'),
      at(2, 'mode: must be one of demo, production'),
      at(3, 'server\\.port: must be at most 65535'),
      expect.stringMatching(/^SMTP_URL: /),
      at(15, 'portal\\.timeZone: is no time zone'),
      at(11, 'clients\\.0\\.redirectUris\\.0: must be an https address'),
      at(9, 'limits\\.textPerRange\\.max: '),
      at(12, 'modules\\.0\\.id: must be one of member-intake'),
      at(12, 'modules\\.0\\.rootUrl: '),
      at(12, 'modules\\.0\\.loginUrl: '),
      at(12, 'modules\\.0\\.secretHash: '),
    ]);
    expect(warningsOf(text, { SMTP_URL: 'http://mail' })).toEqual([
      at(4, 'server\\.hosts: There is no such setting\\. Did you mean server\\.host\\?'),
      at(5, 'PORT: There is no such setting\\. Did you mean server\\.port\\?'),
      at(6, 'prot: There is no such setting\\. Here may stand: mode, server, database, keys,'),
      at(7, 'port: There is no such setting\\. Did you mean server\\.port\\?'),
    ]);
  });

  test('a limit that there is not gets the nearest name', () => {
    expect(faultsOf({ limits: { textPerRnge: { max: 7 } } })).toEqual([]);
    expect(warningsOf({ limits: { textPerRnge: { max: 7 } } })).toEqual([
      expect.stringMatching(
        /^porchlight\.json:3 limits\.textPerRnge: there is no such limit\. Did you mean textPerRange\?/,
      ),
    ]);
  });

  test('a name that a module or a client has not, too', () => {
    const module = { ...modules[0], logniUrl: 'x' };
    const client = { ...clients[0], redirectUrls: [] };
    expect(faultsOf({ modules: [module], clients: [client] })).toEqual([]);
    expect(warningsOf({ modules: [module], clients: [client] })).toEqual([
      expect.stringMatching(/ clients\.0: .*: redirectUrls\. Did you mean redirectUris\?/),
      expect.stringMatching(/ modules\.0: .*: logniUrl\. Did you mean loginUrl\?/),
    ]);
  });

  test('two settings that do not go together are both named where they stand', () => {
    const text = { sms: { webhook: { url: 'https://sms.example.org/' } } };
    const twilio = {
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'x'.repeat(32),
      TWILIO_FROM: '+15550100199',
      SMS_WEBHOOK_KEY: 'k'.repeat(16),
    };
    expect(faultsOf(text, twilio)).toEqual([
      'porchlight.json:4 sms.webhook.url and TWILIO_ACCOUNT_SID are two ways for texts: choose one',
    ]);
  });

  test('what is missing is named in both ways, a secret in the one that there is', () => {
    const faults = faultsOf({ mode: 'production', crm: { url: 'https://crm.example.org/' } });
    expect(faults).toEqual(
      expect.arrayContaining([
        'CRM_KEY is required with porchlight.json:4 crm.url',
        expect.stringMatching(/^PORCHLIGHT_SECRET is required/),
        expect.stringMatching(
          /^server\.publicUrl \(or PORCHLIGHT_PUBLIC_URL in the environment\) is required/,
        ),
        expect.stringMatching(/^modules \(or PORCHLIGHT_MODULES_FILE in the environment\) is/),
      ]),
    );
  });

  test.each([
    ['no JSON', '{\n"server": {]}', 'porchlight.json:2 is no JSON here: unexpected ]'],
    ['a name twice', '{"mode": "demo",\n"mode": "demo"}', 'porchlight.json:2 "mode" stands there'],
    ['no object', '[]', 'porchlight.json:1: must be an object'],
  ])('%s', (_, text, said) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(said)]);
  });
});

describe('[OPS-54] a secret in porchlight.json', () => {
  const rows: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);
  test.each(
    rows.filter(([, { form }]) => form === 'secret').map(([name, row]) => [name, row.path]),
  )('%s is refused at %s, and under its own name, with the variable to use', (name, at) => {
    const nested = at
      .split('.')
      .reduceRight<unknown>(
        (value, key) => ({ [key]: value }),
        'canary-canary-canary-canary-canary',
      );
    for (const text of [nested, { [name]: 'canary' }]) {
      const [fault = '', ...rest] = faultsOf(text);
      expect(fault).toContain(`is a secret and may not stand in this file`);
      expect(fault).toContain(`as ${name}.`);
      expect([fault, ...rest].join()).not.toContain('canary');
    }
  });

  test.each([
    [
      'DATABASE_URL',
      { database: { url: 'postgres://porchlight:canary@db.example.org/porchlight' } },
    ],
    ['DATABASE_URL', { database: { url: 'postgres://db.example.org/porchlight?password=canary' } }],
    ['DATABASE_URL', { database: { url: 'postgres://porchlight:canary@one:5432,two:5432/name' } }],
    ['DATABASE_URL', { database: { url: 'postgres://one:5432,two:5432/name?password=canary' } }],
    ['SMTP_URL', { mail: { url: 'smtps://user:canary@mail.example.org' } }],
    ['CRM_URL', { crm: { url: 'https://user:canary@crm.example.org/' } }],
  ])('a password inside an address is one, too: %s', (name, text) => {
    const [fault = '', ...rest] = faultsOf(text);
    expect(fault).toContain(
      `holds a password, and this file may not. Put all of it into the environment as ${name}.`,
    );
    expect([fault, ...rest].join()).not.toContain('canary');
  });

  test('what it belongs to asks for the variable, and not for the place where it was refused', () => {
    const text = { crm: { url: 'https://crm.example.org/', key: 'canary' } };
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^porchlight\.json:4 crm\.key: is a secret/),
      'CRM_KEY is required with porchlight.json:3 crm.url',
    ]);
  });

  test('an address without one may stand there', () => {
    const text = {
      database: { url: 'postgres://porchlight@db.example.org/porchlight' },
      mail: { url: 'smtp://127.0.0.1', from: 'no-reply@example.org' },
    };
    expect(faultsOf(text)).toEqual([]);
  });

  test('in a list of modules or clients it is named, and not repeated', () => {
    const named = (text: unknown) => faultsOf(text).join('\n');
    const warned = warningsOf({ modules: [{ ...modules[0], secret: 'canary' }] }).join('\n');
    expect(warned).toMatch(/modules\.0: .*secret/);
    expect(warned).not.toContain('canary');
    const auth = { method: 'client_secret_basic', secret: 'canary' };
    expect(named({ clients: [{ ...clients[0], auth }] })).toMatch(/clients\.0\.auth/);
    expect(named({ clients: [{ ...clients[0], auth }] })).not.toContain('canary');
  });
});
