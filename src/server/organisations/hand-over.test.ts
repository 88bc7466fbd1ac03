/** Accounts that an operator hands over to a directory. */

import { expect, test } from 'vitest';
import { findAccount, updateAccount } from '../accounts/account-store.ts';
import { insertLink, linkOf, waysOf } from '../accounts/organisation-links.ts';
import { listSessions } from '../access/sessions.ts';
import { changeRoles } from '../people/people.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { offerHandOver } from './hand-over.ts';
import { addOrganisation, makeBearer } from './organisation-operations.ts';

const ID = 'rosewood';
const PAGE = '/account/me/organization';
const issuer = 'https://rosewood.example/realms/staff';
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const { db, clock } = testApp;
const { signedIn, open, send } = createAccountPages(() => testApp);
const context = () => adminContextOf(testApp);
await addOrganisation(
  context(),
  {
    id: ID,
    subtenantId: 742,
    label: 'Rosewood',
    issuer,
    clientId: 'porchlight',
    clientSecret: 'a secret of the organization',
    roles: [1],
    domains: ['rosewood.example'],
    on: true,
  },
  { evenSo: true },
);
const bearer = await makeBearer(context(), ID);

let count = 0;

/** Signs in a person who is linked, and whom the directory knows by the same name. */
async function person() {
  const subject = `moss-${(count += 1)}`;
  const signed = await signedIn(`${subject}@rosewood.example`);
  const { userId } = signed;
  const link = { issuer, subject, organisation_id: ID, user_id: userId, shown_name: subject };
  await insertLink(db, { ...link, made_by: 'account', made_at: clock.now() });
  const account = await findAccount(db, userId);
  if (!account) throw new Error('The account is missing.');
  const create = async (change: object = {}) => {
    const name = { givenName: 'Other', familyName: 'Name' };
    const response = await fetch(`${testApp.url}/scim/v2/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ userName: signed.email, externalId: subject, name, ...change }),
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  return { ...signed, account, create };
}

type Person = Awaited<ReturnType<typeof person>>;
const offer = ({ account }: Person) => offerHandOver(context(), account);
const agree = ({ visitor }: Person) => send(visitor, { do: 'handOver' }, PAGE);
const isAgreed = async ({ userId }: Person) => (await linkOf(db, userId))?.agreed_at !== null;

test('[FED-11] offered, agreed to in My account, and adopted by the directory; 409 until then', async () => {
  const nora = await person();
  expect((await nora.create()).status).toBe(409);
  // A yes that nobody asked for is none.
  await agree(nora);
  expect(await isAgreed(nora)).toBe(false);
  await offer(nora);
  expect((await open(nora.visitor, PAGE)).organisation?.handOver).toBe('asked');
  expect((await nora.create()).status).toBe(409);
  await agree(nora);
  expect((await open(nora.visitor, PAGE)).organisation?.handOver).toBe('agreed');
  // Neither another person over there nor another address.
  expect((await nora.create({ externalId: 'another' })).status).toBe(409);
  expect((await nora.create({ userName: 'other@rosewood.example' })).status).toBe(409);
  expect(await waysOf(db, nora.userId)).toEqual({ keptBy: null });

  expect(await nora.create()).toMatchObject({ status: 201, body: { userName: nora.email } });
  expect(await waysOf(db, nora.userId)).toEqual({ keptBy: 'Rosewood' });
  const { first_name: firstName } = nora.account;
  const after = { password_hash: null, first_name: firstName, email: nora.email };
  expect(await findAccount(db, nora.userId)).toMatchObject(after);
  expect(await listSessions(context(), { id: nora.userId })).toEqual([]);
  expect((await nora.create()).status).toBe(409);
});

test('[FED-11] the yes asks a fresh proof', async () => {
  const nora = await person();
  await offer(nora);
  clock.advance(11 * 60);
  await agree(nora);
  expect(await isAgreed(nora)).toBe(false);
});

/** Stores that the address was changed a moment ago. */
const changeAddress = (userId: number) =>
  db
    .insertInto('contact_changes')
    .values({
      id: crypto.randomUUID(),
      user_id: userId,
      sign_in_id: null,
      contact: 'email',
      email: `new-${userId}@rosewood.example`,
      dial_code: '',
      mobile: '',
      asked_at: clock.now(),
      changed_at: clock.now(),
      undo_until: new Date(clock.now().getTime() + 72 * 3_600_000),
    })
    .execute();

const UNFIT: readonly (readonly [string, (userId: number) => Promise<unknown>])[] = [
  ['another role', (id) => changeRoles(context(), id, { give: [6], take: [] })],
  ['an unproven address', (id) => updateAccount(db, id, { email_proven_at: null })],
  ['a suspension', (id) => updateAccount(db, id, { status: 'inactive' })],
  ['an address that can be had back', changeAddress],
];

test.each(UNFIT)('[FED-11] %s is asked for at each step', async (_what, spoil) => {
  const early = await person();
  await spoil(early.userId);
  await expect(offer(early)).rejects.toThrow('cannot be handed over');

  const meanwhile = await person();
  await offer(meanwhile);
  await spoil(meanwhile.userId);
  await agree(meanwhile);
  expect(await isAgreed(meanwhile)).toBe(false);

  const late = await person();
  await offer(late);
  await agree(late);
  expect(await isAgreed(late)).toBe(true);
  await spoil(late.userId);
  expect((await late.create()).status).toBe(409);
});

test('[FED-11] an account without a link is not offered, and unlinking takes the yes back', async () => {
  const nora = await person();
  await offer(nora);
  await agree(nora);
  await send(nora.visitor, { do: 'unlink' }, PAGE);
  expect((await nora.create()).status).toBe(409);
  await expect(offer(nora)).rejects.toThrow('cannot be handed over');
});
