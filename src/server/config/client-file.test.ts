import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readClients } from './client-file.ts';
import { loadConfig } from './config.ts';
import { faultText } from './setting.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-clients-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const garden = {
  id: 'garden-club',
  name: 'Garden Club',
  redirectUris: ['https://garden.example.org/callback'],
};

function write(content: unknown): string {
  const path = join(directory, 'clients.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const read = (content: unknown, isDemo = false) => {
  const { entries, faults } = readClients(write(content), { isDemo });
  return { entries, faults: faults.map(faultText) };
};
const faultsOf = (entry: object, isDemo = false) => read([{ ...garden, ...entry }], isDemo).faults;

test('what is left out is the careful choice: a public third party with the code flow', () => {
  expect(read([garden])).toEqual({
    faults: [],
    entries: [
      {
        ...garden,
        firstParty: false,
        type: 'web',
        postLogoutRedirectUris: [],
        webOrigins: [],
        grants: ['authorization_code'],
        responseTypes: ['code'],
        scopes: ['openid', 'profile', 'email'],
        auth: { method: 'none' },
        pkce: 'required',
        dpop: 'optional',
        backChannelLogoutUri: null,
        initiateLoginUri: null,
        subtenantId: null,
        idTokenAlg: 'RS256',
        apis: [],
      },
    ],
  });
});

describe('[R28] [D20] addresses', () => {
  test.each([
    'http://garden.example.org/callback',
    'https://user@garden.example.org/callback',
    'https://garden.example.org/callback#part',
    'https://garden.example.org/a/../callback',
    'https:garden.example.org',
    '//garden.example.org/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'garden.example.org',
    'http://localhost:4000/callback',
    'org.example.garden:/callback',
    'https://gärten.example/callback',
    'HTTPS://garden.example.org/callback',
    '',
  ])('a web client may not answer at %s', (uri) => {
    expect(faultsOf({ redirectUris: [uri] })).toHaveLength(1);
    expect(faultsOf({ postLogoutRedirectUris: [uri] })).toHaveLength(1);
  });

  test('a demo may also talk to this machine', () => {
    const local = { redirectUris: ['http://localhost:4000/callback'] };
    expect(faultsOf(local, true)).toEqual([]);
    expect(faultsOf({ redirectUris: ['http://garden.example.org/'] }, true)).toHaveLength(1);
  });

  test('a native client may use its own scheme and the loopback address', () => {
    const native = (uri: string) => faultsOf({ type: 'native', redirectUris: [uri] });
    expect(native('org.example.garden:/callback')).toEqual([]);
    expect(native('http://127.0.0.1/callback')).toEqual([]);
    for (const uri of ['http://garden.example.org/', 'garden:/callback', 'javascript:alert(1)']) {
      expect([uri, native(uri).length]).toEqual([uri, 1]);
    }
  });

  test.each([
    ['webOrigins', ['https://garden.example.org/']],
    ['backChannelLogoutUri', 'http://garden.example.org/logout'],
    ['initiateLoginUri', 'javascript:alert(1)'],
    ['auth', { method: 'private_key_jwt', jwksUri: 'http://garden.example.org/keys' }],
  ])('%s must be right too', (name, value) => {
    expect(faultsOf({ [name]: value })).toHaveLength(1);
  });
});

test.each([
  ['https://garden.example.org/app', 'write https://garden.example.org'],
  ['https://garden.example.org?x', 'write https://garden.example.org'],
  ['https://anna:canary@garden.example.org#x', 'write https://garden.example.org'],
  ['HTTPS://Garden.example.org', 'write https://garden.example.org'],
  ['http://garden.example.org', 'must be an https address'],
  ['garden.example.org', 'must be an https address'],
])('[ARC-01] a web origin is told what to write: %s', (address, says) => {
  const [fault, ...others] = faultsOf({ webOrigins: [address] });
  expect([others, fault]).toEqual([[], expect.stringContaining(says)]);
  expect(fault).not.toContain('canary');
});

test('[PRF-07] who has no secret cannot do without PKCE', () => {
  expect(faultsOf({ pkce: 'optional' })).toEqual(['0.pkce: is required without a secret']);
  const auth = { method: 'client_secret_basic', secretHash: 'x'.repeat(43) };
  expect(faultsOf({ pkce: 'optional', auth })).toEqual([]);
});

test.each([{ grants: ['authorization_code', 'password'] }, { responseTypes: ['code', 'token'] }])(
  '[IDP-32] a client that has to bind its tokens cannot have %j',
  (given) => {
    expect(faultsOf({ ...given, dpop: 'required' })).toEqual([
      '0.dpop: cannot be required: password, passwordless and token give bearer tokens',
    ]);
    expect(faultsOf({ ...given, dpop: 'optional' })).toEqual([]);
  },
);

describe('secrets and keys', () => {
  test.each([
    ['a secret in the clear', { method: 'client_secret_basic', secret: 'x'.repeat(43) }],
    ['a hash that is none', { method: 'client_secret_post', secretHash: 'secret' }],
    ['no key at all', { method: 'private_key_jwt', jwks: { keys: [] } }],
    [
      'a private key',
      {
        method: 'private_key_jwt',
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] },
      },
    ],
    ['a shared key', { method: 'private_key_jwt', jwks: { keys: [{ kty: 'oct', k: 'k' }] } }],
    [
      'both ways to tell keys',
      { method: 'private_key_jwt', jwks: { keys: [] }, jwksUri: 'https://a.example/' },
    ],
    ['an unknown way', { method: 'client_secret_jwt', secretHash: 'x'.repeat(43) }],
  ])('%s is refused', (_, auth) => {
    expect(faultsOf({ auth })).not.toEqual([]);
  });

  test('a fault never repeats what was written', () => {
    const auth = { method: 'client_secret_basic', secretHash: 'canary' };
    expect(faultsOf({ auth }).join()).not.toContain('canary');
  });
});

test.each([
  ['the id of the portal', { id: 'porchlight-portal' }],
  ['an id with a space', { id: 'garden club' }],
  ['a name of two lines', { name: 'Garden\nClub' }],
  ['a name with markup', { name: '<b>Garden</b>' }],
  ['an unknown grant', { grants: ['magic'] }],
  ['a scope that does not exist', { scopes: ['openid', 'everything'] }],
  ['no openid', { scopes: ['email'] }],
  ['nowhere to answer', { redirectUris: [] }],
])('%s is refused', (_, entry) => {
  expect(faultsOf(entry)).toHaveLength(1);
});

test.each([
  ['of a client', { secret: 'canary' }, '0: '],
  ['inside its keys', { auth: { method: 'none', later: 'canary' } }, '0.auth: '],
])('N21: an unknown name %s is left out, with a warning', (_, entry, at) => {
  const { entries, faults, warnings } = readClients(write([{ ...garden, ...entry }]), {
    isDemo: false,
  });
  expect([entries.length, faults]).toEqual([1, []]);
  expect(JSON.stringify(entries)).not.toContain('canary');
  expect(warnings.map(faultText)).toEqual([expect.stringContaining(at)]);
  expect(JSON.stringify(warnings)).not.toContain('canary');
});

test('every fault of every client is told at once, with all other faults of the settings', () => {
  const path = write([
    { ...garden, redirectUris: ['http://a.example/', 'ftp://b.example/'] },
    { ...garden, id: 'x', idTokenAlg: 'HS256' },
  ]);
  const start = () =>
    loadConfig({ PORCHLIGHT_DATA_DIR: directory, PORCHLIGHT_CLIENTS_FILE: path, PORT: 'eighty' });
  for (const part of [
    /PORT/,
    /PORCHLIGHT_CLIENTS_FILE 0\.redirectUris\.0/,
    /PORCHLIGHT_CLIENTS_FILE 0\.redirectUris\.1/,
    /PORCHLIGHT_CLIENTS_FILE 1\.id/,
    /PORCHLIGHT_CLIENTS_FILE 1\.idTokenAlg/,
  ]) {
    expect(start).toThrow(part);
  }
});

test('the same id twice, a broken file and a missing one are told', () => {
  expect(read([garden, garden]).faults).toEqual(['1: garden-club stands there twice']);
  expect(read('{').faults).toHaveLength(1);
  expect(readClients('/nowhere/clients.json', { isDemo: true }).faults[0]?.says).toContain(
    '/nowhere',
  );
  expect(readClients(undefined, { isDemo: true })).toEqual({
    entries: [],
    faults: [],
    warnings: [],
  });
});
