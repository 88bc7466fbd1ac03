/** [OPS-02] [OPS-11] The Deploy block of the README, as it stands there, makes a production that people can sign up to. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { parseEnv } from 'node:util';
import { MODULE_IDS } from '#domain/people/roles.ts';
import { runCommand } from '../command.ts';
import { freePort } from '../free-port.ts';
import { startMailReceiver } from '../receivers.ts';
import { endProcess, ROOT, type ServerProcess, startProcess } from '../server-process.ts';
import { openTestDatabase } from '../test-database.ts';
import { createVisitor, PASSWORD } from '../visitor.ts';
import { sentBack } from '../reset.ts';

const readme = readFileSync(`${ROOT}README.md`, 'utf8');
const [, block = ''] = /^## Deploy\n[^]*?^```sh\n([^]*?)^```/m.exec(readme) ?? [];
/** The words of each `npx porchlight` of the block, as a shell reads them. */
const commands = block
  .trim()
  .split('\n')
  .filter((line) => line.startsWith('npx porchlight '))
  .map((line) => wordsOf(line.replace(/^npx porchlight /, '')));
const [firstInit = [], moduleAdd = [], configCheck = [], serve = [], doctor = []] = commands;
/** The line for a machine without a terminal, in the list behind the block. */
const [, person = ''] = /npx porchlight (init\s+nora[^`]+)`/.exec(readme) ?? [];
const secondInit = wordsOf(person.replaceAll(/\s+/g, ' '));

function wordsOf(line: string): readonly string[] {
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}

const CODE = /^Subject: (\d{6})/m;

const running: ServerProcess[] = [];

const directory = mkdtempSync(join(tmpdir(), 'porchlight-deploy-'));
const database = await openTestDatabase('empty');
const mails = await startMailReceiver();
afterAll(async () => {
  await Promise.all(running.map(endProcess));
  await mails.close();
  await database.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A line of the block, where the operator stands. */
const run = (words: readonly string[]) => runCommand({}, ...words, { cwd: directory });
const file = () => join(directory, 'porchlight.env');
const settings = () => parseEnv(readFileSync(file(), 'utf8')) as Record<string, string>;

const configFile = () => join(directory, 'porchlight.json');

/** Edits a file, as an operator would. */
function fillIn(path: string, pattern: RegExp, write: (name: string) => string | undefined): void {
  const lines = readFileSync(path, 'utf8').split('\n');
  const filled = lines.map((line) => write(pattern.exec(line)?.[1] ?? '') ?? line);
  writeFileSync(path, filled.join('\n'));
}

/** The line of the block that adds a module, once for each. */
async function addModules(): Promise<void> {
  for (const id of MODULE_IDS) {
    const words = moduleAdd.map((word) => word.replace('admin', id));
    expect(await run(words)).toMatchObject({ code: 0, err: '' });
  }
}

test('[OPS-01] [OPS-02] [OPS-11] after the lines of the block people sign up and in; run again they change nothing', async () => {
  const verbs = commands.map((words) => words.slice(0, 2).join(' '));
  expect(verbs).toEqual(['init', 'module add', 'config check', 'serve', 'doctor']);
  const empty = await run(firstInit);
  expect(empty.code).toBe(1);
  const needed = empty.out.match(/ {2}- .* is required/g) ?? [];
  expect(needed).toHaveLength(7);
  expect(empty.out.match(/ {2}- /g)).toHaveLength(needed.length);
  // Each stands there, to be filled in.
  const secrets = Object.entries(settings()).filter(([, value]) => value === '');
  expect(secrets.map(([name]) => name)).toEqual(['DATABASE_URL', 'SMTP_URL']);
  for (const [name] of secrets) expect(empty.out).toContain(`or ${name} in the environment) is`);
  expect(empty.out.match(/porchlight\.json:\d+ /g)).toHaveLength(5);
  for (const name of ['porchlight.env', 'porchlight.json', 'porchlight.secret']) {
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  }
  const secret = readFileSync(join(directory, 'porchlight.secret'), 'utf8');

  const secretValues: Record<string, string> = {
    DATABASE_URL: database.url ?? '',
    SMTP_URL: mails.url,
  };
  fillIn(file(), /^([A-Z_]+)=$/, (name) =>
    name in secretValues ? `${name}=${secretValues[name]}` : undefined,
  );
  const values: Record<string, unknown> = {
    host: '127.0.0.1',
    publicUrl: 'https://login.example.org',
    trustedProxies: ['127.0.0.1'],
    from: 'Rosewood <no-reply@example.org>',
    phone: '+1 555 010 0123',
    email: 'help@example.org',
  };
  fillIn(configFile(), /^ *"(\w+)": (?:""|\[\]|"0\.0\.0\.0"),$/, (name) =>
    name in values ? `"${name}": ${JSON.stringify(values[name])},` : undefined,
  );
  await addModules();
  expect(await run(configCheck)).toMatchObject({ code: 0, err: '' });
  const noName = await run(firstInit);
  expect(noName).toMatchObject({ code: 1, out: '' });
  expect(noName.err).toContain('Subtenant 742 needs a name');
  expect(await run(secondInit)).toMatchObject({ code: 0, err: '' });
  const again = await run(secondInit);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toContain('Subtenant 742 is there.\nnora@example.org has an account.\n');
  expect(readFileSync(join(directory, 'porchlight.secret'), 'utf8')).toBe(secret);
  const told = await run([...secondInit, '--json']);
  expect(JSON.parse(told.out)).toEqual({
    file: file(),
    applied: [],
    subtenants: [{ id: 742, isAdded: false }],
    person: { email: 'nora@example.org', id: expect.any(Number), isInvited: false },
  });
  const academy = await run([...firstInit, '--academy', 'Rosewood Academy']);
  expect(academy.out).toContain('Subtenant 3 is added: Rosewood Academy.');
  const kinds = await database.db
    .selectFrom('audit_events')
    .select(['kind', 'actor'])
    .orderBy('id')
    .execute();
  expect(kinds.map(({ kind, actor }) => `${actor?.split(':')[0]} ${kind}`)).toEqual([
    'operator subtenant.added',
    'operator account.added',
    'operator account.invited',
    'operator subtenant.added',
  ]);

  const port = String(await freePort());
  const start = async () => {
    const own = { PORT: port, PORCHLIGHT_DRAIN_SECONDS: '0' };
    // The address is that of the file.
    const server = await startProcess({ ...settings(), ...own, PORCHLIGHT_PUBLIC_URL: '' });
    running.push(server);
    expect(await server.started).toBeNull();
    return server;
  };
  const first = await start();
  // The public name and the addresses of the apps lead nowhere from here; all else is well.
  const seen = await run([...doctor, '--json']);
  const findings = seen.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; state: string });
  const faults = findings.filter(({ state }) => state === 'fault').map(({ check }) => check);
  expect(new Set(faults)).toEqual(new Set(['modules', 'publicUrl']));

  const url = 'https://login.example.org';
  const local = `http://127.0.0.1:${port}`;
  let read = 0;
  const mailTo = async (email: string, sign: RegExp) => {
    const isNew = (mail: string) => mail.includes(`\nTo: ${email}\n`) && sign.test(mail);
    await vi.waitUntil(() => mails.mails.slice(read).some(isNew), { timeout: 30_000 });
    const mail = mails.mails.slice(read).findLast(isNew) ?? '';
    read = mails.mails.length;
    return sign.exec(mail)?.[1] ?? '';
  };
  const codeFor = (email: string) => mailTo(email, CODE);
  const visitor = createVisitor({ url, codeFor, behindProxy: local });

  // The invitation waited for a server.
  const staff = 'nora@example.org';
  const resetKey = await mailTo(staff, /resetLinkKey=3D([\w-]{43})|resetLinkKey=([\w-]{43})/);
  const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  if (!user) throw new Error('The link is dead');
  await visitor.ok('updatePassword', { body: { ...sentBack(user), password: PASSWORD } });
  expect(await visitor.signIn(staff, PASSWORD)).toMatchObject({
    userRoles: [{ roleId: 3 }, { roleId: 4 }],
  });
  // The first person is an operator of the console: nothing else has to be read or written for it.
  expect((await visitor.request('/console')).status).toBe(200);

  const emailAddress = 'first@example.org';
  const person = createVisitor({ url, codeFor, behindProxy: local });
  await person.register({ emailAddress });
  const login = await person.signIn(emailAddress, PASSWORD);
  expect(login).toMatchObject({ userRoles: [{ roleId: 1 }] });
  // The block names no provider of texts: a code goes by mail alone, and none is told to have failed.
  const channels = await database.db.selectFrom('messages').select('channel').distinct().execute();
  expect(channels).toEqual([{ channel: 'email' }]);

  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  expect(first.output()).not.toContain('There is no subtenant');
  const closed = await run(['tenant', 'close', '742', ...serve.slice(1)]);
  expect(closed).toMatchObject({ code: 0, err: '' });
  // The secret is the same at the second start.
  const second = await start();
  expect(second.output()).toContain('There is no subtenant 742: nobody can sign up');
  expect((await person.ok('getVisit', {})).login?.loggedInUserId).toBe(login.loggedInUserId);
}, 180_000);
