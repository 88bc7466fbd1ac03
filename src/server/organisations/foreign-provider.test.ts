/** Organizations whose provider is not ours to forge: oidc-provider as it comes, and a second Porchlight. */

import { describe, expect, test } from 'vitest';
import { checkOrganisations } from './upstream.ts';
import { addOrganisation, replaceOrganisation } from './organisation-operations.ts';
import { listOrganisations } from './organisation-store.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { freePort } from '../testing/free-port.ts';
import { createForeignProvider } from '../testing/foreign-provider.ts';
import { comeBack, ORGANISATION_SECRET, press } from '../testing/organisation-provider.ts';
import { clientEntry, createRelyingParty, follow } from '../testing/relying-party.ts';
import { createTestApp } from '../testing/test-app.ts';
import { createVisitor, type Visitor } from '../testing/visitor.ts';
import { hashToken } from '../crypto/secret-box.ts';

const STAFF = 'staff@demo.porchlight.test';
const testApp = closeAtEnd(await createTestApp({ limitFactor: 100 }));
const context = () => adminContextOf(testApp);
const redirectUriOf = (id: string) => `${testApp.url}/account/organization/${id}/back`;
const entryOf = (id: string, issuer: string, clientId = 'porchlight') => ({
  id,
  subtenantId: 742,
  label: id,
  issuer,
  clientId,
  roles: [3],
  on: true,
});

const findings = async (id: string) => {
  const all = await listOrganisations(testApp.db);
  const found = await checkOrganisations(
    context(),
    all.filter((each) => each.id === id),
  );
  return found.map(({ state, what }) => `${state}: ${what}`);
};

async function link(issuer: string, subject: string, id: string): Promise<void> {
  const { db, clock } = testApp;
  const account = db.selectFrom('users').select('id').where('email', '=', STAFF);
  const { id: userId } = await account.executeTakeFirstOrThrow();
  await db.updateTable('organisation_links').set({ ended_at: clock.now() }).execute();
  const row = { issuer, subject, organisation_id: id, user_id: userId, shown_name: subject };
  await db
    .insertInto('organisation_links')
    .values({ ...row, made_by: 'account', made_at: clock.now() })
    .execute();
}

const newestAmr = async () => {
  const newest = testApp.db.selectFrom('sign_ins').select(['amr', 'stage']);
  return newest.orderBy('created_at', 'desc').executeTakeFirst();
};

describe('oidc-provider', async () => {
  const ID = 'foreign-staff';
  const client = { id: 'porchlight', secret: ORGANISATION_SECRET, redirectUri: redirectUriOf(ID) };
  const foreign = closeAtEnd(await createForeignProvider(client));
  const entry = entryOf(ID, foreign.issuer);
  await addOrganisation(context(), { ...entry, clientSecret: ORGANISATION_SECRET });

  /** Presses the button and signs in over there, in a browser of that provider. */
  async function signIn(visitor: Visitor): Promise<string> {
    const there = createVisitor({ url: foreign.issuer, codeFor: testApp.codeFor });
    const place = await follow(there, await press(visitor, ID), foreign.issuer);
    return comeBack(visitor, place.url.href);
  }

  test('[ORG-05] signs in its linked person, and nobody else', async () => {
    await link(foreign.issuer, 'person-1', ID);
    expect(await signIn(testApp.visitor())).toBe('/account/Redirect');
    expect(await newestAmr()).toEqual({ amr: ['fed'], stage: 'otp' });
    foreign.as('person-2');
    expect(await signIn(testApp.visitor())).toContain('why=unlinked');
    foreign.as('person-1');
  });

  test('[ORG-04] check finds it in order, or a redirect address that it does not know', async () => {
    const host = new URL(foreign.issuer).host;
    expect(await findings(ID)).toEqual([
      `ok: ${host} answers, for one tenant and with keys`,
      `ok: it knows the redirect address ${redirectUriOf(ID)}`,
    ]);
    const other = { ...entryOf('other-staff', foreign.issuer), subtenantId: 900 };
    await addOrganisation(context(), { ...other, clientSecret: ORGANISATION_SECRET });
    expect((await findings('other-staff'))[1]).toMatch(/^fault: .*other-staff\/back/);
  });

  test('[ORG-05] a wrong secret lets nobody in', async () => {
    await replaceOrganisation(context(), { ...entry, clientSecret: 'another secret' });
    expect(await signIn(testApp.visitor())).toContain('why=refused');
    await replaceOrganisation(context(), { ...entry, clientSecret: ORGANISATION_SECRET });
    expect(await signIn(testApp.visitor())).toBe('/account/Redirect');
  });
});

test('[ORG-08] a provider whose machine is off does not answer, as its page says', async () => {
  const ID = 'gone-staff';
  const issuer = `http://localhost:${await freePort()}`;
  const entry = { ...entryOf(ID, issuer), clientSecret: ORGANISATION_SECRET };
  await addOrganisation(context(), entry);
  expect(await press(testApp.visitor(), ID)).toContain('why=down');
  expect((await findings(ID))[0]).toContain('ECONNREFUSED');
});

describe('a second Porchlight', async () => {
  const ID = 'second-porchlight';
  const client = clientEntry({
    id: 'first-porchlight',
    redirectUris: [redirectUriOf(ID)],
    auth: { method: 'client_secret_basic', secretHash: hashToken(ORGANISATION_SECRET) },
  });
  const second = closeAtEnd(await createTestApp({ clients: [client], limitFactor: 100 }));
  const issuer = `${second.url}/idp/`;
  const entry = entryOf(ID, issuer, client.id);
  await addOrganisation(context(), { ...entry, clientSecret: ORGANISATION_SECRET });
  const party = await createRelyingParty(second.url, client.id);

  test('[ORG-04] check finds it in order', async () => {
    expect((await findings(ID)).map((line) => line.split(':')[0])).toEqual(['ok', 'ok']);
  });

  test('[ORG-05] [FED-01] its person is linked by the subject over there, and signs in by it', async () => {
    const signIn = async () => {
      const visitor = testApp.visitor();
      const there = second.visitor();
      const place = await party.goThrough(there, 'member', new URL(await press(visitor, ID)));
      return comeBack(visitor, place.url.href);
    };
    expect(await signIn()).toContain('why=unlinked');
    const asked = testApp.db.selectFrom('organisation_sign_ins').select('subject');
    const { subject } = await asked.where('organisation_id', '=', ID).executeTakeFirstOrThrow();
    await link(issuer, subject ?? '', ID);
    expect(await signIn()).toBe('/account/Redirect');
    expect(await newestAmr()).toEqual({ amr: ['fed'], stage: 'otp' });
  });
});
