/** [OPS-11] `porchlight init` at a terminal, with the answers of an operator. */

import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initCommand as texts } from '#locales/operator/init-command.ts';
import { readConfig } from '#server/config/config.ts';
import { openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts';
import { openInstallation } from './installation.ts';
import { readCommand } from './verbs.ts';

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'porchlight-init-'));
  database = await openTestDatabase('empty');
  for (const name of Object.keys(texts.questions)) vi.stubEnv(name, undefined);
  vi.stubEnv('PORCHLIGHT_CONFIG', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const modeOf = (name: string) => (statSync(at(name)).mode & 0o777).toString(8);
const environment = () => openInstallation(at('porchlight.env')).env();

const answers = (): Record<string, string> => ({
  [texts.questions.PORCHLIGHT_PUBLIC_URL]: 'https://login.example.org',
  [texts.questions.TRUSTED_PROXIES]: '127.0.0.1, 10.0.0.0/8',
  [texts.questions.DATABASE_URL]: database.url ?? '',
  [texts.questions.SMTP_URL]: 'smtp://127.0.0.1:1025',
  [texts.questions.MAIL_FROM]: 'Rosewood <no-reply@example.org>',
  [texts.questions.PORCHLIGHT_HELP_PHONE]: '+1 555 010 0123',
  [texts.questions.PORCHLIGHT_HELP_EMAIL]: 'help@example.org',
  [texts.askName]: 'Rosewood Senior Living',
  [texts.askPerson]: 'nora@example.org Nora van der Lind',
});

async function init(given: Record<string, string> | null, ...words: string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return given?.[question] ?? '';
  };
  const { run } = readCommand(['init', ...words]);
  const out = await run({ ...openInstallation(at('porchlight.env')), ...(given && { ask }) });
  return { ...out, asked };
}

test('[OPS-11] asks once for what only the operator knows, and sets up everything in one go', async () => {
  const { text, hasFailed, asked } = await init(answers());
  expect([text, hasFailed]).toEqual([expect.stringContaining('is invited as'), false]);
  expect(asked).toEqual(Object.keys(answers()));
  const { config } = readConfig(environment());
  const { id } = await database.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  expect(config?.console).toEqual([expect.objectContaining({ role: 'operator' })]);
  expect(read('porchlight.json')).toContain(`    "operators": ["account:${id}"],\n`);
  expect(text).toContain(`nora@example.org opens /console as an operator: account:${id}`);
  expect(config?.trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8']);
  const again = await init(answers());
  expect([again.asked, again.hasFailed]).toEqual([[], false]);
});

test('[OPS-11] what is left open is asked for by the files; without a terminal the environment answers', async () => {
  const { asked, text, hasFailed } = await init({ ...answers(), [texts.questions.SMTP_URL]: '' });
  expect([hasFailed, asked]).toEqual([true, Object.keys(answers()).slice(0, 7)]);
  expect(text).toContain('SMTP_URL in the environment) is required');
  rmSync(at('porchlight.env'));
  rmSync(at('porchlight.json'));
  for (const [name, question] of Object.entries(texts.questions)) {
    vi.stubEnv(name, answers()[question]);
  }
  const person = ['nora@example.org', 'Nora', 'Lind'];
  const done = await init(null, ...person, '--name', 'Rosewood');
  expect([done.hasFailed, done.asked]).toEqual([false, []]);
  vi.unstubAllEnvs();
  expect(environment()).toMatchObject({ SMTP_URL: 'smtp://127.0.0.1:1025' });
  expect(readConfig(environment()).faults).toEqual([]);
});

test('[OPS-11] a console section that was edited stays: the operator reads what to write', async () => {
  await init({});
  const text = read('porchlight.json').replace('// "helpDesk": []', '// "helpDesk": ["742:3"]');
  expect(text).not.toBe(read('porchlight.json'));
  writeFileSync(at('porchlight.json'), text);
  for (const [name, question] of Object.entries(texts.questions)) {
    vi.stubEnv(name, answers()[question]);
  }
  const done = await init(null, 'nora@example.org', 'Nora', 'Lind', '--name', 'Rosewood');
  expect(done.text).toContain('Nobody opens /console yet: put account:');
  expect(read('porchlight.json')).toBe(text);
});

test.each([
  ['closed to all but its owner', 0o700, '600'],
  ['open to its group', 0o750, '640'],
  ['open to everybody', 0o755, '600'],
])('[OPS-11] the files of a folder %s', async (_, folderMode, mode) => {
  chmodSync(folder, folderMode);
  await init({});
  for (const name of ['porchlight.env', 'porchlight.json', 'porchlight.secret', 'modules.json']) {
    expect([name, modeOf(name)]).toEqual([name, mode]);
  }
});
