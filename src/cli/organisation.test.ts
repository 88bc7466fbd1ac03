import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createAudit } from '#server/audit/audit.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { operate } from '#server/testing/operate.ts';
import { createTestApp } from '#server/testing/test-app.ts';

const directory = mkdtempSync(join(tmpdir(), 'porchlight-organisation-'));
const testApp = await createTestApp();
afterAll(async () => {
  await testApp.close();
  rmSync(directory, { recursive: true, force: true });
});

const run = async (...words: string[]) => {
  const { db, clock, config } = testApp;
  const context = { db, clock, config, audit: createAudit({ db, clock }) };
  const secretBox = createSecretBox(config.secret);
  return (await operate({ ...context, secretBox }, 'organisation', ...words)).text.trim();
};
function fileOf(content: unknown): string {
  const path = join(directory, 'organisation.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const rosewood = {
  id: 'rosewood-staff',
  subtenantId: 742,
  label: 'Rosewood',
  issuer: 'https://rosewood.okta.com',
  clientId: 'porchlight',
  clientSecret: 'first secret',
  roles: [3],
};

test('[ORG-04] an organization is added, shown, changed and removed by files', async () => {
  expect(await run('list')).toContain('No organization yet');
  const added = await run('add', fileOf(rosewood));
  expect(added).toContain(`${testApp.config.publicUrl}/account/organization/rosewood-staff/back`);
  expect(await run('add', fileOf(rosewood))).toContain('there already');
  const shown = await run('show', 'rosewood-staff');
  expect(shown).not.toContain('first secret');
  expect(JSON.parse(shown)).toMatchObject({ label: 'Rosewood', roles: [3], on: false });
  const { clientSecret: _, ...kept } = rosewood;
  await run('set', fileOf({ ...kept, on: true }));
  expect(await run('list')).toMatch(/rosewood-staff {2}742 .* on$/m);
  const member = { ...kept, id: 'members', issuer: 'https://m.example', roles: [1] };
  const members = fileOf({ ...member, clientSecret: 'x' });
  await expect(run('add', members)).rejects.toThrow('--even-so');
  expect(await run('add', members, '--even-so')).toContain('Added members');
  expect(await run('remove', 'members')).toContain('Removed');
  expect(await run('remove', 'members')).toContain('nothing was to be removed');
});

test('[ORG-02] [ORG-04] a new secret is read from a file and never printed, a bearer is printed once', async () => {
  const said = await run(
    'rotate-secret',
    'rosewood-staff',
    fileOf('second~secret.8\n'),
    '--ends',
    '2027-06-30',
  );
  expect(said).not.toContain('second');
  expect(JSON.parse(await run('show', 'rosewood-staff')).secretEndsOn).toBe('2027-06-30');
  for (const bad of ['', 'two words', 'a\nb']) {
    await expect(run('rotate-secret', 'rosewood-staff', fileOf(bad))).rejects.toThrow('alone');
  }
  const ends = ['--ends', '2027-13-01'];
  await expect(run('rotate-secret', 'rosewood-staff', fileOf('x'), ...ends)).rejects.toThrow('day');
  const [, bearer = ''] = /(plscim_[\w-]{43})/.exec(await run('bearer', 'rosewood-staff')) ?? [];
  expect(bearer).not.toBe('');
  expect(await run('show', 'rosewood-staff')).not.toContain(bearer);
  await expect(run('bearer', 'nothing')).rejects.toThrow('no organization nothing');
});

test.each([
  ['', 'not one organization'],
  ['[]', 'not one organization'],
  ['{"id": 1}', 'has faults'],
])('[ORG-04] a file with %j is refused', async (content, says) => {
  await expect(run('add', fileOf(content))).rejects.toThrow(says);
  await expect(run('add', join(directory, 'nothing.json'))).rejects.toThrow('cannot be read');
});
