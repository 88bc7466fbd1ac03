import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/text/duration.ts';
import { findAccount, insertAccounts } from '../accounts/account-store.ts';
import { endLink } from '../accounts/organisation-links.ts';
import type { StaffChange } from '../accounts/staff-change-store.ts';
import { later } from '../core/clock.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { addRosewood, keepAccount } from '../testing/organisation.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { olderWays } from './change-proofs.ts';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 50 }));
const { db, clock } = testApp;
const { signedIn, open } = createAccountPages(() => testApp);
await addRosewood(testApp);

/** An account whose address was proven long ago. */
async function personAt(domain: string): Promise<number> {
  const email = `${crypto.randomUUID()}@${domain}`;
  const provenAt = later(clock.now(), -100 * DAY_MS);
  const [row] = await insertAccounts(db, [
    {
      email,
      first_name: 'Ana',
      last_name: 'Ruiz',
      dial_code: '',
      mobile: '',
      created_at: provenAt,
      subtenant_id: 742,
      status: 'active',
      activated_at: provenAt,
      email_proven_at: provenAt,
    },
  ]);
  return row?.id ?? 0;
}

test.each([
  ['rosewood.example', false],
  ['mail.example', true],
])('[FED-04] a mailbox at %s proves a change of staff: %s', async (domain, proves) => {
  const id = await personAt(domain);
  const isProof = async () => {
    const account = await findAccount(db, id);
    if (!account) throw new Error('No account');
    const asked = { asked_at: clock.now() } as StaffChange;
    return (await olderWays({ db, clock }, account, asked)).email;
  };
  expect(await isProof()).toBe(true);
  await keepAccount(testApp, id);
  expect(await isProof()).toBe(proves);
  await endLink(db, id, clock.now());
  expect(await isProof()).toBe(true);
});

test('[FED-04] My account offers no code to that mailbox in a session by the organization', async () => {
  const { visitor, userId } = await signedIn('no-code@rosewood.example');
  await db.updateTable('user_roles').set({ role_id: 6 }).where('user_id', '=', userId).execute();
  const noPhone = { dial_code: '', mobile: '', phone_proven_at: null };
  await db.updateTable('users').set(noPhone).where('id', '=', userId).execute();
  await keepAccount(testApp, userId);
  clock.advance(11 * 60);
  const offersCode = async (path: string, amr: string[]) => {
    await db.updateTable('sign_ins').set({ amr }).where('user_id', '=', userId).execute();
    return (await open(visitor, path)).code.canBeSent;
  };
  expect(await offersCode('/account/me/organization', ['pwd', 'otp'])).toBe(true);
  expect(await offersCode('/account/me/organization', ['fed', 'otp'])).toBe(false);
  // A download asks for a code alone.
  expect(await offersCode('/account/me/data', ['fed', 'otp'])).toBe(true);
});
