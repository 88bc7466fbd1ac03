import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../testing/test-app.ts';
import { CALLBACK, createRelyingParty, follow } from '../testing/relying-party.ts';
import { createAudit } from '../audit/audit.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { runClientCommand } from './client.ts';
import {
  createClientRegistry,
  createClientStore,
  fromSettings,
} from '../oauth-clients/registry.ts';

let world: World;
const directory = mkdtempSync(join(tmpdir(), 'porchlight-client-'));
beforeAll(async () => {
  world = await createWorld({ limitFactor: 100 });
});
afterAll(async () => {
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

const run = (...words: string[]) => {
  const { db, clock } = world;
  return runClientCommand({ db, clock, audit: createAudit({ db, clock }), isDemo: true }, words);
};
function fileOf(entry: object): string {
  const path = join(directory, 'client.json');
  writeFileSync(path, JSON.stringify(entry));
  return path;
}
const book = {
  id: 'book-club',
  name: 'Book Club',
  firstParty: true,
  redirectUris: [CALLBACK],
  auth: { method: 'client_secret_basic' },
};
const secretIn = (lines: readonly string[]) => lines.at(-1)?.split(' ').at(-1) ?? '';

async function signsIn(secret: string): Promise<boolean> {
  const visitor = world.visitor();
  await visitor.signIn('member');
  const party = await createRelyingParty(world.url, 'book-club', oidc.ClientSecretBasic(secret));
  const begun = await party.begin();
  const place = await follow(visitor, begun.url, world.url);
  return party.redeem(begun, place.url).then(
    () => true,
    () => false,
  );
}

test('an added client works at once, its secret is told once and stored nowhere', async () => {
  const lines = await run('add', fileOf(book));
  const secret = secretIn(lines);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await signsIn(secret)).toBe(true);
  expect(await world.dump()).not.toContain(secret);
  expect((await run('list')).join()).toContain('book-club, Book Club, first-party');
  await expect(run('add', fileOf(book))).rejects.toThrow('There is a client book-club already.');

  const next = secretIn(await run('rotate-secret', 'book-club'));
  expect(await signsIn(secret)).toBe(false);
  expect(await signsIn(next)).toBe(true);

  await run('remove', 'book-club');
  const visitor = world.visitor();
  const gone = await visitor.request(
    `/idp/authorize?client_id=book-club&response_type=code&scope=openid&redirect_uri=${CALLBACK}`,
  );
  expect([gone.status, gone.headers.get('location')]).toEqual([400, null]);
  const kinds = (await world.db.selectFrom('audit_events').select('kind').execute()).map(
    (row) => row.kind,
  );
  expect(kinds).toEqual(
    expect.arrayContaining(['client.added', 'client.secretRotated', 'client.removed']),
  );
});

test('faults are told all at once, and wrong words get the usage', async () => {
  const bad = { ...book, id: 'x', redirectUris: ['http://a.example/', 'ftp://b.example/'] };
  await expect(run('add', fileOf(bad))).rejects.toThrow(
    / - id:[^]* - redirectUris\.0:[^]* - redirectUris\.1:/,
  );
  await expect(run('add', '/nowhere.json')).rejects.toThrow('cannot be read');
  await expect(run('remove', 'nobody')).rejects.toThrow('There is no client nobody.');
  await expect(run('rotate-secret', 'nobody')).rejects.toThrow('with a secret');
  for (const words of [[], ['add'], ['list', 'x'], ['remove', 'a', 'b'], ['dance', 'x']]) {
    await expect(run(...words)).rejects.toThrow('Usage:');
  }
});

test('who brings the hash of a secret keeps the secret; who has none gets none', async () => {
  const secret = 'a secret that the operator made elsewhere, long enough';
  const auth = { ...book.auth, secretHash: hashToken(secret) };
  expect(await run('add', fileOf({ ...book, auth }))).toHaveLength(1);
  expect(await signsIn(secret)).toBe(true);
  await run('remove', 'book-club');

  await run('add', fileOf({ ...book, auth: { method: 'none' } }));
  await expect(run('rotate-secret', 'book-club')).rejects.toThrow('with a secret');
  await run('remove', 'book-club');
});

test('a client of the settings stands before one of the same id in the database', async () => {
  const { db, clock } = world;
  const store = createClientStore(db, () => clock.now(), { isDemo: true });
  const added = await store.add({ ...book, auth: { method: 'none' } });
  const registry = createClientRegistry(
    db,
    fromSettings(added ? [{ ...added, name: 'Ours' }] : []),
  );
  const named = (await registry.list()).filter(({ clientId }) => clientId === 'book-club');
  expect(named.map(({ name }) => name)).toEqual(['Ours']);
  expect((await registry.find('book-club'))?.name).toBe('Ours');
  await store.remove('book-club');
});
