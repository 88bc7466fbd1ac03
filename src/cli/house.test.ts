import { afterAll, expect, test } from 'vitest';
import { parseConsoleGrant } from '#domain/help-desk/console-rights.ts';
import { createAudit } from '#server/audit/audit.ts';
import { findAccountByEmail, isByOrganisation } from '#server/accounts/account-store.ts';
import { later } from '#server/core/clock.ts';
import { demoEmail } from '#server/demo/seed.ts';
import { refuseListedOperators } from '#server/people/house.ts';
import { operate } from '#server/testing/operate.ts';
import { createTestApp } from '#server/testing/test-app.ts';

const testApp = await createTestApp();
afterAll(() => testApp.close());

const run = async (...words: string[]) => {
  const { db, clock, config } = testApp;
  const context = { db, clock, config, audit: createAudit({ db, clock }) };
  return (await operate(context, 'house', ...words)).text.trim();
};

test('[HOU-01] administrators are named, listed and taken back; an operator is none', async () => {
  expect(await run('admin', 'list')).toMatch(/742 .*Ana Ruiz[^]*900 .*Tom Reyes/);
  const member = demoEmail('member');
  expect(await run('admin', 'add', member)).toMatch(/is an administrator of 742/);
  expect(await run('admin', 'add', member)).toContain('already');
  expect(await run('admin', 'list', '742')).toContain('Margaret Okafor');
  expect(await run('admin', 'list', '742')).not.toContain('Tom Reyes');
  expect(await run('admin', 'remove', member)).toContain('no administrator any more');
  expect(await run('admin', 'remove', member)).toContain('Nothing was changed');
  await expect(run('admin', 'add', demoEmail('admin'))).rejects.toThrow('an operator already');
  await expect(run('admin', 'add', demoEmail('suspended'))).rejects.toThrow('not active');
  const closing = testApp.db.updateTable('users').where('email', '=', member);
  await closing.set({ closing_at: testApp.clock.now() }).execute();
  await expect(run('admin', 'add', member)).rejects.toThrow('it closes');
  await closing.set({ closing_at: null }).execute();
  await expect(run('admin', 'crown', member)).rejects.toThrow('add, remove or list');
  await expect(run('admin', 'add')).rejects.toThrow('by email or id');
  const events = await testApp.db
    .selectFrom('audit_events')
    .select('kind')
    .where('kind', 'like', 'house.%')
    .orderBy('id')
    .execute();
  expect(events.map(({ kind }) => kind)).toEqual([
    'house.administratorAdded',
    'house.administratorRemoved',
  ]);
});

test('[HOU-02] the list of roles refuses 1, 9, 18 and an operator’s, and a start that makes one of them so', async () => {
  expect(await run('roles', '742')).toContain('no role yet');
  expect(await run('roles', '742', '--set', '3,Agent')).toContain('3 Staff, 5 Agent');
  for (const role of ['1', '9', '18', '4']) {
    await expect(run('roles', '742', '--set', `3,${role}`)).rejects.toThrow('never give');
  }
  expect(await run('roles', '742')).toContain('3 Staff, 5 Agent');
  await expect(run('roles', '4242', '--set', '3')).rejects.toThrow('no subtenant 4242');
  const grants = parseConsoleGrant('operator', '742:5');
  const raised = refuseListedOperators(testApp.db, { console: grants ? [grants] : [] });
  await expect(raised).rejects.toThrow('742:5');
  await refuseListedOperators(testApp.db, testApp.config);
  expect(await run('roles', '742', '--set', 'none')).toContain('no role yet');
});

test('[HOU-11] invitations are listed, and taken back once', async () => {
  expect(await run('invitations')).toContain('No invitation waits');
  const admin = await findAccountByEmail(testApp.db, demoEmail('house'));
  const now = testApp.clock.now();
  await testApp.db
    .insertInto('invitations')
    .values({
      id: 4001,
      subtenant_id: 742,
      sent_by: admin?.id ?? 0,
      email: 'sam@people.test',
      email_canonical: 'sam@people.test',
      first_name: 'Sam',
      last_name: 'Hale',
      role_id: 5,
      key_hash: null,
      sent_at: now,
      expires_at: later(now, 1000),
    })
    .execute();
  expect(await run('invitations', '742')).toMatch(/742 +sam@people\.test +5/);
  expect(await run('invitations', '900')).toContain('No invitation waits');
  const [, id = ''] = /^(\d+) +742/m.exec(await run('invitations')) ?? [];
  expect(await run('withdraw', id)).toContain('taken back');
  await expect(run('withdraw', id)).rejects.toThrow('No invitation');
});

test('[HOU-01] an administrator never comes in by an organization', () => {
  const organisation = {
    id: 'rosewood',
    label: 'Rosewood',
    isOnly: true,
    opensConsole: true,
    isAdmitted: true,
  };
  const account = { id: 7, subtenant_id: 742, roleIds: [3], organisation };
  expect(isByOrganisation({ ...account, administers: null }, testApp.config.console)).toBe(true);
  expect(isByOrganisation({ ...account, administers: 742 }, testApp.config.console)).toBe(false);
});
