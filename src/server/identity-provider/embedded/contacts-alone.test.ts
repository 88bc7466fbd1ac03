/** Which contacts open an account by their code alone, or prove a change of it: one table, asked of every door. */

import { describe, expect, test } from 'vitest';
import type { Contact } from '#domain/proofs/otp.ts';
import { HOUR_MS } from '#domain/text/duration.ts';
import { findAccount, insertAccounts, updateAccount } from '../../accounts/account-store.ts';
import type { StaffChange } from '../../accounts/staff-change-store.ts';
import { olderWays } from '../../contacts/change-proofs.ts';
import { later } from '../../core/clock.ts';
import type { Visit } from '../../http/visit-cookie.ts';
import { createRecipients } from '../../proofs/otp/recipients.ts';
import { addApp } from '../../testing/app-code.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { createWire, SPA, wireClients } from '../../testing/wire.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp';
const BOTH: readonly Contact[] = ['email', 'phone'];

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 500 })),
);
const wire = createWire(testApp);

type Columns = Parameters<typeof updateAccount>[2];
type State = {
  readonly columns?: (now: Date) => Columns;
  /** A contact that was changed a day ago. */
  readonly changed?: Contact;
  readonly hasApp?: true;
  /** What opens the account alone. */
  readonly opens: readonly Contact[];
  /** What a step-up may ask beside: a mailbox is the last resort of an account without any proof. */
  readonly stepsUp?: 'asked' | 'only' | 'never' | null;
};

const STATES: Readonly<Record<string, State>> = {
  'both proven': { opens: BOTH, stepsUp: 'asked' },
  'a phone that was mistyped at the sign-up': {
    columns: () => ({ phone_proven_at: null }),
    opens: ['email'],
    stepsUp: 'only',
  },
  'proven by a text alone': {
    columns: () => ({ email_proven_at: null }),
    opens: ['phone'],
    stepsUp: 'never',
  },
  'a phone that staff typed': {
    columns: () => ({ phone_proven_at: null }),
    changed: 'phone',
    opens: ['email'],
    stepsUp: 'only',
  },
  'imported without a proof': {
    columns: () => ({ email_proven_at: null, phone_proven_at: null, mail_codes_only: true }),
    opens: [],
    stepsUp: 'only',
  },
  'imported with a proven mailbox': {
    columns: () => ({ phone_proven_at: null }),
    opens: ['email'],
    stepsUp: 'only',
  },
  'a link that was pressed in another browser': {
    columns: () => ({ mail_codes_only: true }),
    opens: ['email'],
    stepsUp: 'only',
  },
  'an address that was changed lately': { changed: 'email', opens: ['phone'], stepsUp: 'never' },
  'a phone that was changed lately': { changed: 'phone', opens: ['email'], stepsUp: 'only' },
  'in recovery': { columns: (now) => ({ recovery_since: now }), opens: [] },
  closing: { columns: (now) => ({ closing_at: later(now, 24 * HOUR_MS) }), opens: [] },
  suspended: { columns: () => ({ status: 'inactive' }), opens: [] },
  'with an app code': { hasApp: true, opens: [] },
};

let count = 0;
async function person() {
  count += 1;
  const at = later(testApp.clock.now(), -1000 * HOUR_MS);
  const [account] = await insertAccounts(testApp.db, [
    {
      email: `alone-${count}@example.test`,
      first_name: 'Rosa',
      last_name: 'Lind',
      dial_code: '+1',
      mobile: `55502${String(count).padStart(5, '0')}`,
      subtenant_id: 742,
      status: 'active',
      created_at: at,
      activated_at: at,
      email_proven_at: at,
      phone_proven_at: at,
      first_signed_in_at: at,
    },
  ]);
  if (!account) throw new Error('The address is taken');
  return account;
}
type Person = Awaited<ReturnType<typeof person>>;

async function bring(account: Person, { columns, changed, hasApp }: State): Promise<void> {
  const now = testApp.clock.now();
  if (columns) await updateAccount(testApp.db, account.id, columns(now));
  if (hasApp) await addApp(testApp, account.id);
  if (!changed) return;
  const { email, dial_code, mobile } = account;
  await testApp.db
    .insertInto('contact_changes')
    .values({
      id: `change-${account.id}`,
      user_id: account.id,
      sign_in_id: null,
      contact: changed,
      email,
      dial_code,
      mobile,
      asked_at: later(now, -24 * HOUR_MS),
      changed_at: later(now, -24 * HOUR_MS),
      undo_until: later(now, 48 * HOUR_MS),
    })
    .execute();
}

const addressOf = (account: Person, contact: Contact) =>
  contact === 'email' ? account.email : `+1${account.mobile}`;
const inboxOf = (account: Person, contact: Contact) => {
  const to = contact === 'email' ? account.email : account.mobile;
  return testApp.inbox(to);
};

async function start(account: Person, contact: Contact): Promise<string | null> {
  const to = addressOf(account, contact);
  const body = contact === 'email' ? { email: to } : { phone_number: to };
  const connection = contact === 'email' ? 'email' : 'sms';
  const asked = { client_id: SPA, connection, send: 'code', ...body };
  expect((await wire.post('passwordless/start', asked)).status).toBe(200);
  await testApp.app.outbox.settle();
  return (await inboxOf(account, contact))[0]?.code ?? null;
}

const grant = (account: Person, contact: Contact, otp: string) =>
  wire.token({
    grant_type: PASSWORDLESS,
    client_id: SPA,
    realm: contact === 'email' ? 'email' : 'sms',
    username: addressOf(account, contact),
    otp,
    scope: 'openid email',
  });

describe('[PRF-27] S63: what a contact may do alone', () => {
  test.each(Object.entries(STATES))('%s', async (_, state) => {
    const account = await person();
    await bring(account, state);
    const row = await findAccount(testApp.db, account.id);
    for (const contact of BOTH) {
      const code = await start(account, contact);
      const isOpen = code !== null && (await grant(account, contact, code)).status === 200;
      expect([contact, isOpen]).toEqual([contact, state.opens.includes(contact)]);
    }
    // A code that needed no password proves no contact.
    expect(await findAccount(testApp.db, account.id)).toEqual(row);
    if (!row) return;
    const asked = { asked_at: testApp.clock.now() } as StaffChange;
    const ways = await olderWays(testApp, row, asked);
    for (const contact of BOTH) expect(ways[contact]).toBe(state.opens.includes(contact));
    if (state.stepsUp === undefined) return;
    const beside = {
      ...row,
      roleIds: [],
      hasAppCode: false,
      organisation: null,
      administers: null,
    };
    const attempt = { id: 'of this test', stage: 'complete', amr: ['pwd', 'otp'] };
    const { find } = createRecipients(testApp, {
      hasTexts: true,
      signIns: { currentWithAccount: async () => ({ attempt, account: beside }) },
    });
    const { mailRule } = await find('STEP_UP', account.id, {} as Visit);
    expect(mailRule).toBe(state.stepsUp);
  });

  test.each(
    Object.entries(STATES).flatMap(([name, state]) =>
      BOTH.filter((contact) => !state.opens.includes(contact)).map(
        (contact) => [name, contact, state] as const,
      ),
    ),
  )('%s, since the code was sent: %s', { tags: 'long' }, async (_, contact, state) => {
    const account = await person();
    const code = await start(account, contact);
    expect(code).not.toBeNull();
    await bring(account, state);
    expect((await grant(account, contact, code ?? '')).status).toBe(403);
  });

  test('a number that another account only typed opens the one that has proven it', async () => {
    const [owner, other] = [await person(), await person()];
    await updateAccount(testApp.db, other.id, { mobile: owner.mobile, phone_proven_at: null });
    const code = await start(owner, 'phone');
    expect((await grant(owner, 'phone', code ?? '')).status).toBe(200);
    // Proven by both, it identifies neither.
    await updateAccount(testApp.db, other.id, { phone_proven_at: testApp.clock.now() });
    testApp.clock.advance(600);
    const sent = (await inboxOf(owner, 'phone')).length;
    await start(owner, 'phone');
    expect(await inboxOf(owner, 'phone')).toHaveLength(sent);
  });
});
