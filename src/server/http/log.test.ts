import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDirectory } from '../testing/database-copies.ts';
import { readInbox } from '../testing/inbox.ts';
import { openProcessDatabase } from '../testing/test-database.ts';
import { endProcess, startProcess } from '../testing/server-process.ts';
import { sentBack } from '../testing/reset.ts';

const database = await openProcessDatabase();
const dir = await makeDataDirectory(database.url);
const server = await startProcess({
  PORCHLIGHT_DATA_DIR: dir,
  LOG_LEVEL: 'debug',
  ...(database.url && { DATABASE_URL: database.url }),
});
beforeAll(async () => {
  const refusal = await server.started;
  if (refusal !== null) throw new Error(refusal);
});
afterAll(async () => {
  await endProcess(server);
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

test('[R51] [D9] [SEC-22] no key, code, password, token, cookie or address gets into the log', async () => {
  const visitor = server.visitor();
  await visitor.request('/api/health/ready');
  const email = 'noted-nowhere@example.test';
  await visitor.register({ emailAddress: email });
  const password = 'Canary-Coat-7';
  await visitor.ok('checkUser', { params: { email } });
  await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
  const links = (await readInbox(server.url, email)).flatMap((mail) => mail.link ?? []);
  const link = new URL(links.find((each) => each.includes('resetLinkKey')) ?? '');
  const resetKey = link.searchParams.get('resetLinkKey') ?? '';
  expect(resetKey).toHaveLength(43);
  await visitor.request(link.pathname + link.search);
  await visitor.request(link.pathname + link.search, { method: 'HEAD' });
  const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  if (!user) throw new Error('The link is dead');
  // A mistyped address matches no route and may still hold a key.
  await visitor.request(`/api/User/GetUserDetailsbyTokenKey/${resetKey}`);
  await visitor.request(`/api/User/GetUserDetailsbyTokenKey/${resetKey}/::1/x`);
  await visitor.request(`/API/USER/getuserdetailsbytokenkey/${resetKey}/::1/`);
  await visitor.request(`/api/User/GetUserDetailsbyTokenKey/${resetKey}/%E0%A4%A`);
  // Mail programs do this to the mailed link.
  await visitor.request(`${link.pathname}%3FresetLinkKey=${resetKey}`);
  await visitor.request(`${link.pathname}/${resetKey}`);
  await visitor.request(`/${resetKey}`);
  await visitor.request(`/idp/${resetKey}`);
  const typed = ['short-key', 'Rosa', 'rosa.at.home'];
  for (const part of typed) {
    await visitor.request(`/${part}`);
    await visitor.request(`/account/resetPassword/${part}`);
    await visitor.request(`/api/User/${part}`);
    await visitor.request(`/idp/authorize/${part}`);
  }
  await visitor.ok('updatePassword', { body: { ...sentBack(user), password } });
  const login = await visitor.signIn(email, password);
  const codes = (await readInbox(server.url, email)).flatMap(({ code }) => code ?? []);
  await visitor.call('isAuthUser', { params: { email } });
  await visitor.ok('logOut', {
    params: {
      userId: String(login.loggedInUserId),
      appState: login.appState,
      loggedInId: login.logUserLoginId,
      roleId: '1',
    },
  });

  const log = server.output();
  expect(log).toContain('GetUserDetailsbyTokenKey');
  expect(log).toContain('/idp/authorize');
  expect(log).toContain('"path":"/idp/authorize/*"');
  expect(log).toContain('"path":"…"');
  const canaries = [
    resetKey,
    email,
    encodeURIComponent(email),
    password,
    login.authToken,
    login.appState,
    visitor.cookies.get('visit') ?? '',
    user.forgotPasswordId,
    ...typed,
  ];
  for (const canary of canaries) {
    expect(canary).not.toBe('');
    expect(log).not.toContain(canary);
  }
  // One line each, and those of probes below what production writes.
  const lines = server
    .output()
    .split('\n')
    .flatMap((line) => (line.includes('"msg":"request completed"') ? [JSON.parse(line)] : []));
  expect(new Set(lines.map(({ reqId }) => reqId)).size).toBe(lines.length);
  expect(server.output()).not.toContain('incoming request');
  const levels = (path: string) =>
    new Set(lines.flatMap(({ req, level }) => (req.path === path ? [level] : [])));
  expect(levels('/api/health/ready')).toEqual(new Set([20]));
  expect(levels('/idp/authorize/*')).toEqual(new Set([30]));
  expect(codes).toHaveLength(2);
  for (const code of codes) expect(log).not.toMatch(new RegExp(`[" :]${code}[", ]`));
}, 120_000);
