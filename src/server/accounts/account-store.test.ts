import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../db/database.ts';
import { createTestContext } from '../testing/test-app.ts';
import {
  consoleRoleIn,
  ensureStandIn,
  findAccount,
  findAccountByEmail,
  findActiveAccount,
  grantRoles,
  insertAccounts,
  setPasswordHash,
} from './account-store.ts';

const PERSON = { first_name: 'Ada', last_name: 'Ode', dial_code: '+1', mobile: '5550100' };
const NOW = new Date('2026-01-01T00:00:00Z');

let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  const context = await createTestContext();
  db = context.db;
  close = () => context.database.close();
  const subtenant = { id: 742, name: 'Rosewood', logo_path: '/logos/742.svg', accent: null };
  await db
    .insertInto('subtenants')
    .values(subtenant)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
});
afterAll(() => close());

async function add(email: string, more: { status?: 'active' | 'inactive' } = {}) {
  const account = { ...PERSON, email, subtenant_id: 742, created_at: NOW, ...more };
  const [added] = await insertAccounts(db, [account]);
  return added;
}

test('an account is pending at first, and its address is taken in any spelling', async () => {
  const account = await add('Ada@example.com');
  expect(account).toMatchObject({ status: 'pending', password_hash: null });
  expect(await add(' ADA@EXAMPLE.COM')).toBeUndefined();
  expect((await findAccountByEmail(db, 'aDa@example.com '))?.id).toBe(account?.id);
});

test('only an active account may sign in, with the roles of the table in their order', async () => {
  const { id = 0 } = (await add('active@example.com', { status: 'active' })) ?? {};
  await grantRoles(db, id, [9, 1]);
  await grantRoles(db, id, [1, 4]);
  await grantRoles(db, id, [999]);
  expect((await findActiveAccount(db, id))?.roleIds).toEqual([1, 4, 9]);
  for (const status of ['pending', 'inactive'] as const) {
    await db.updateTable('users').set({ status }).where('id', '=', id).execute();
    expect(await findActiveAccount(db, id)).toBeNull();
    expect(await setPasswordHash(db, id, 'hash')).toBeUndefined();
    expect((await findAccount(db, id))?.password_hash).toBeNull();
  }
});

test('an account without roles may sign in', async () => {
  const { id = 0 } = (await add('nobody@example.com', { status: 'active' })) ?? {};
  expect((await findActiveAccount(db, id))?.roleIds).toEqual([]);
});

test('an account has one stand-in, which no address leads to', async () => {
  const email = 'owner@example.com';
  const owner = await add(email, { status: 'active' });
  if (!owner) throw new Error('the address is taken');
  const form = { ...PERSON, email, subtenant_id: 742 };
  const decoy = await ensureStandIn(db, owner, form);
  expect(decoy).toMatchObject({ status: 'pending', shadow_of: owner.id, email });
  expect((await ensureStandIn(db, owner, form)).id).toBe(decoy.id);
  expect((await findAccountByEmail(db, email))?.id).toBe(owner.id);
});

test('[ORG-07] a sign-in by an organization opens the console if its entry says so', () => {
  const grants = [{ role: 'helpDesk' as const, accountId: 1 }];
  const roleBy = (amr: readonly string[], opensConsole: boolean) => {
    const organisation = { id: 'o', label: 'O', isOnly: false, isAdmitted: true, opensConsole };
    const account = { id: 1, subtenant_id: 742, roleIds: [3], administers: null, organisation };
    return consoleRoleIn(account, { amr }, grants);
  };
  expect([roleBy(['fed', 'otp'], true), roleBy(['fed', 'otp'], false)]).toEqual(['helpDesk', null]);
  expect(roleBy(['pwd', 'otp'], false)).toBe('helpDesk');
});
