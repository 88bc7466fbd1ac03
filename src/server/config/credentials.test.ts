import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configFaults } from '#locales/operator/config-faults.ts';
import { databaseAddresses } from './database-url.ts';
import { readConfig } from './config.ts';
import { SETTINGS } from './settings.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-credentials-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const KEY = 'k'.repeat(32);
const MAY_HAVE_PASSWORD = ['SMTP_URL', 'DATABASE_URL'];
/** Each setting that is an address, with what it needs beside it; ADDRESS stands for user, password and host. */
const ADDRESSES: Readonly<Record<string, readonly [url: string, beside?: NodeJS.ProcessEnv]>> = {
  SMTP_URL: ['smtps://ADDRESS'],
  DATABASE_URL: ['postgres://ADDRESS/porchlight'],
  SMS_WEBHOOK_URL: ['https://ADDRESS/in', { SMS_WEBHOOK_KEY: KEY }],
  VOICE_WEBHOOK_URL: ['https://ADDRESS/in', { VOICE_WEBHOOK_KEY: KEY, RECEIPTS_KEY: KEY }],
  TWILIO_API_URL: ['https://ADDRESS/in'],
  CRM_URL: ['https://ADDRESS/in', { CRM_KEY: KEY }],
  PORCHLIGHT_EVENTS_URL: [
    'https://ADDRESS/in',
    { PORCHLIGHT_EVENTS_SECRET: `whsec_${Buffer.from(KEY).toString('base64')}` },
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['https://ADDRESS/in'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['https://ADDRESS/in'],
};
const HOST = 'one.example.org:4430';

const read = (name: string, address: string) => {
  const [url = '', beside] = ADDRESSES[name] ?? [];
  return readConfig({
    PORCHLIGHT_DATA_DIR: directory,
    ...beside,
    [name]: url.replace('ADDRESS', address),
  });
};

test('[OPS-08] F77: the table has each setting that is an address of a program', () => {
  // Pages of people's own, which hold no secret: origins and the domain of a tenant.
  const others = /PUBLIC_URL|HOSTED_LOGIN/;
  const named = Object.keys(SETTINGS).filter((name) => /_URL$|ENDPOINT$/.test(name));
  expect(Object.keys(ADDRESSES).sort()).toEqual(named.filter((name) => !others.test(name)).sort());
});

const WRONG = [
  '50%off',
  '50%',
  'p%ffx',
  'Git@50',
  'p/word',
  'p?word',
  'Git#50',
  '12/34',
  '12?34',
  '12#34',
  '12@34',
];

test.each(
  Object.keys(ADDRESSES).flatMap((name) => WRONG.map((password) => [name, password] as const)),
)('[OPS-08] F77: %s with the password %s is refused with what to write', (name, password) => {
  const { config, faults } = read(name, `user:${password}@${HOST}`);
  expect(config).toBeNull();
  expect(faults).toEqual([expect.stringContaining(configFaults.notEncoded)]);
  expect(faults[0]).toContain(name);
  expect(faults[0]).not.toContain(password);
});

const PASSWORD = '50% @/#?:é';
const ENCODED = `user:${encodeURIComponent(PASSWORD)}@${HOST}`;

test.each(MAY_HAVE_PASSWORD)(
  '[OPS-08] F77: %s keeps its host with every letter encoded',
  (name) => {
    const { config, faults } = read(name, ENCODED);
    expect(faults).toEqual([]);
    const url = new URL((name === 'SMTP_URL' ? config?.mail?.url : config?.databaseUrl) ?? '');
    expect([url.host, decodeURIComponent(url.password)]).toEqual([HOST, PASSWORD]);
  },
);

test.each(Object.keys(ADDRESSES).filter((name) => !MAY_HAVE_PASSWORD.includes(name)))(
  '[OPS-08] F77: %s takes no user name',
  (name) => {
    expect(read(name, ENCODED).faults).toEqual([expect.stringContaining('takes no user name')]);
  },
);

test.each([
  ['SMTP_URL', 'one.example.org/in'],
  ['SMTP_URL', 'user:zebra@one.example.org/in'],
  ['SMTP_URL', 'user:zebra@one.example.org?pool=true'],
  ['SMTP_URL', 'user:zebra@'],
  ['DATABASE_URL', 'user:zebra@one%zz'],
  ['DATABASE_URL', 'user:zebra#50@one,two:5433'],
  ['DATABASE_URL', 'user:50%zebra@one,two:5433'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ':zebra@one'],
])('[OPS-08] F77: %s is refused with %s', (name, address) => {
  const { faults } = read(name, address);
  expect(faults).toHaveLength(1);
  expect(faults[0]).not.toContain('zebra');
});

test.each([
  ['CRM_URL', 'one.example.org/@team/in?to=me@example.org'],
  ['CRM_URL', 'one.example.org:4430/50%'],
  ['SMTP_URL', 'one.example.org:465/'],
  ['SMTP_URL', '[::1]:465'],
  ['DATABASE_URL', 'one,two:5433'],
])('[OPS-08] F77: %s keeps %s', (name, address) => {
  expect(read(name, address).faults).toEqual([]);
});

test('[OPS-08] F77: a header of traces that is not percent-encoded is refused with what to write', () => {
  const env = { PORCHLIGHT_DATA_DIR: directory, OTEL_EXPORTER_OTLP_ENDPOINT: `https://${HOST}` };
  const { faults } = readConfig({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=50%off' });
  expect(faults).toEqual([expect.stringContaining('write % as %25, a comma as %2C')]);
  expect(faults[0]).not.toContain('off');
});

test('[OPS-64] each of several hosts has the encoded password', () => {
  const url = `postgres://user:${encodeURIComponent('50% @/#?')}@one,two:5433/porchlight`;
  for (const each of databaseAddresses(url)) {
    expect(decodeURIComponent(new URL(each).password)).toBe('50% @/#?');
  }
});
