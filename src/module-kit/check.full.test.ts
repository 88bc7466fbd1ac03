import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { moduleChecks } from '#locales/operator/module-command.ts';
import { randomToken } from '#server/crypto/secret-box.ts';
import { freePort } from '#server/testing/free-port.ts';
import { startSloppyModule, type Sloppy } from '#server/testing/sloppy-module.ts';
import { checkModule, type CheckName } from './check.ts';
import { startCheckPortal } from './portal.ts';

const names = Object.keys(moduleChecks) as CheckName[];
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const pair = await generateKeyPair('RSA-OAEP-256', { extractable: true });
const sealedTo = await exportJWK(pair.publicKey);

async function check(flaw: CheckName | null, more: Partial<Sloppy> = {}) {
  const [id, secret] = ['admin', randomToken()] as const;
  const [port, portalPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${portalPort}`;
  const portal = await startCheckPortal({
    url,
    module: id,
    roleId: 4,
    isSecret: (given) => given === secret,
    sealedTo,
  });
  ends.push(portal.close);
  const origin = `http://127.0.0.1:${port}`;
  // A module that does not answer is not running.
  if (flaw !== 'reached') {
    const { privateKey } = pair;
    const sloppy = { id, portal: url, secret, port, flaw, privateKey, ...more };
    ends.push(await startSloppyModule(sloppy));
  }
  return checkModule(portal, {
    id,
    rootUrl: `${origin}/`,
    loginUrl: `${origin}/login`,
    signOutUrl: `${origin}/signed-out`,
    ownSignOut: '/sign-out',
  });
}

const faultsOf = (findings: Awaited<ReturnType<typeof check>>) =>
  findings.flatMap(({ check: name, state }) => (state === 'fault' ? [name] : []));

test('[OPS-57] a module that does all of it right passes every check', async () => {
  const findings = await check(null);
  expect(faultsOf(findings)).toEqual([]);
  expect(new Set(findings.map(({ check: name }) => name))).toEqual(new Set(names));
});

test.each(names)('[OPS-57] %s is found out, with its mend, and nothing else', async (flaw) => {
  const findings = await check(flaw);
  expect(faultsOf(findings)).toEqual([flaw]);
  const found = findings.find(({ state }) => state === 'fault');
  expect(found?.what).not.toMatch(/[{}]/);
  expect(found?.mend).not.toBe('');
});

test('[OPS-57] N5: the query of the hand-off in the address, under another name, is found out', async () => {
  expect(faultsOf(await check(null, { flaw: 'keptQuery' }))).toEqual(['cleanAddress']);
});

test('[OPS-77] a module that takes its sign-out by POST alone passes; one that takes neither is told both', async () => {
  expect(faultsOf(await check(null, { signOutBy: 'POST' }))).toEqual([]);
  const findings = await check(null, { signOutBy: 'PUT' });
  expect(faultsOf(findings)).toEqual(['signOut']);
  const what = findings.find(({ state }) => state === 'fault')?.what;
  expect(what).toBe('Its sign-out answered 405 to GET and 405 to POST');
});
