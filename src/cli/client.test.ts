import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as oidc from 'openid-client';
import { afterAll, expect, test } from 'vitest';
import { createTestApp } from '#server/testing/test-app.ts';
import { CALLBACK, createRelyingParty, follow } from '#server/testing/relying-party.ts';
import { createAudit } from '#server/audit/audit.ts';
import { createSecretBox, hashToken } from '#server/crypto/secret-box.ts';
import { operate } from '#server/testing/operate.ts';
import {
  createClientRegistry,
  createClientStore,
  fromSettings,
} from '#server/identity-provider/oauth-clients/registry.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-client-'));
const testApp = await createTestApp({ limitFactor: 100 });
afterAll(async () => {
  await testApp.close();
  rmSync(directory, { recursive: true, force: true });
});

const run = async (...words: string[]) => {
  const { db, clock, config } = testApp;
  const context = { db, clock, config, audit: createAudit({ db, clock }) };
  const secretBox = createSecretBox(config.secret);
  return (await operate({ ...context, secretBox }, 'client', ...words)).text.trim().split('\n');
};
function fileOf(entry: unknown): string {
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
  const visitor = testApp.visitor();
  await visitor.signIn('member');
  const party = await createRelyingParty(testApp.url, 'book-club', oidc.ClientSecretBasic(secret));
  const begun = await party.begin();
  const place = await follow(visitor, begun.url, testApp.url);
  return party.redeem(begun, place.url).then(
    () => true,
    () => false,
  );
}

test('[OPS-15] an added client works at once, its secret is told once and stored nowhere', async () => {
  const lines = await run('add', fileOf(book));
  const secret = secretIn(lines);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await signsIn(secret)).toBe(true);
  expect(await testApp.dump()).not.toContain(secret);
  expect((await run('list')).join()).toMatch(/book-club +Book Club +first-party/);
  // N11: done twice, it says so; another client of that id is refused.
  expect(await run('add', fileOf(book))).toEqual([
    'The client book-club is there already, as the file says. Nothing was changed.',
  ]);
  await expect(run('add', fileOf({ ...book, name: 'Others' }))).rejects.toThrow(
    'There is a client book-club already, and it differs from the file.',
  );
  expect(await signsIn(secret)).toBe(true);

  const renamed = fileOf({ ...book, name: 'Reading Circle' });
  expect(await run('set', renamed)).toHaveLength(1);
  expect(await signsIn(secret)).toBe(true);
  const shown = (await run('show', 'book-club')).join('\n');
  expect(JSON.parse(shown)).toMatchObject({ name: 'Reading Circle', auth: book.auth });
  expect(shown).not.toContain('secretHash');

  const next = secretIn(await run('rotate-secret', 'book-club'));
  expect(await signsIn(secret)).toBe(false);
  expect(await signsIn(next)).toBe(true);

  await run('remove', 'book-club');
  expect(await run('remove', 'book-club')).toEqual([
    'There is no client book-club: nothing was to be removed.',
  ]);
  const visitor = testApp.visitor();
  const gone = await visitor.request(
    `/idp/authorize?client_id=book-club&response_type=code&scope=openid&redirect_uri=${CALLBACK}`,
  );
  expect([gone.status, gone.headers.get('location')]).toEqual([400, null]);
  const kinds = (
    await testApp.db.selectFrom('audit_events').orderBy('id').select('kind').execute()
  ).map((row) => row.kind);
  expect(kinds).toEqual(
    expect.arrayContaining([
      'client.added',
      'client.changed',
      'client.secretRotated',
      'client.removed',
    ]),
  );
});

test('faults are told all at once, and wrong words get the usage', async () => {
  const bad = { ...book, id: 'x', redirectUris: ['http://a.example/', 'ftp://b.example/'] };
  await expect(run('add', fileOf(bad))).rejects.toThrow(
    / - id:[^]* - redirectUris\.0:[^]* - redirectUris\.1:/,
  );
  await expect(run('add', '/nowhere.json')).rejects.toThrow('cannot be read');
  await expect(run('rotate-secret', 'nobody')).rejects.toThrow('with a secret');
  await expect(run('show', 'nobody')).rejects.toThrow('There is no client nobody.');
  await expect(run('set', fileOf(book))).rejects.toThrow('There is no client book-club.');
  for (const words of [[], ['add'], ['list', 'x'], ['remove', 'a', 'b'], ['dance', 'x']]) {
    await expect(run(...words)).rejects.toThrow('Usage:');
  }
});

test.each([[[book]], [[]], [null], ['book-club']])(
  '[OPS-79] %j is told to be no client',
  async (what) => {
    for (const verb of ['add', 'set']) {
      const said = run(verb, fileOf(what));
      await expect(said).rejects.toThrow('A client is one JSON object');
      await expect(said).rejects.not.toThrow(/expected|Unrecognized/);
    }
  },
);

test(
  'who brings the hash of a secret keeps the secret; who has none gets none',
  { tags: 'long' },
  async () => {
    const secret = 'a secret that the operator made elsewhere, long enough';
    const auth = { ...book.auth, secretHash: hashToken(secret) };
    expect(await run('add', fileOf({ ...book, auth }))).toHaveLength(1);
    expect(await signsIn(secret)).toBe(true);
    await run('remove', 'book-club');

    await run('add', fileOf({ ...book, auth: { method: 'none' } }));
    await expect(run('rotate-secret', 'book-club')).rejects.toThrow('with a secret');
    await run('remove', 'book-club');
  },
);

test('a client of the settings stands before one of the same id in the database', async () => {
  const { db, clock } = testApp;
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
