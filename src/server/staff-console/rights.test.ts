/** [CON-03] [CON-07] The table of rights by HTTP, and every way to raise one's own rights. */

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  CONSOLE_ROLES,
  type ConsoleRole,
  PERSON_KINDS,
  type PersonKind,
} from '#domain/help-desk/console-rights.ts';
import { CONSOLE_VERBS, type ConsoleVerb, mayDo } from '#domain/help-desk/console-verbs.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { findAccountByEmail, grantRoles, insertAccounts } from '../accounts/account-store.ts';
import { insertKey } from '../proofs/passkeys/key-store.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { later } from '../core/clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { createSecretBox, hashToken, randomId } from '../crypto/secret-box.ts';
import { demoEmail } from '../demo/seed.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { createTestAppWithPages, SECRET } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const GUIDE = readFileSync(
  new URL('../../../docs/operations/help-desk.md', import.meta.url),
  'utf8',
);
const MINUTE = 60;
const NAMES = { helpDesk: 'staff', administrator: 'house', operator: 'admin' } as const;

let desks: Record<ConsoleRole, Desk>;
let ids: Record<ConsoleRole, number>;
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
beforeAll(async () => {
  const idOf = async (name: string) =>
    (await findAccountByEmail(testApp.db, demoEmail(name)))?.id ?? 0;
  desks = {
    helpDesk: await openDesk(testApp, NAMES.helpDesk),
    administrator: await openDesk(testApp, NAMES.administrator),
    operator: await openDesk(testApp, NAMES.operator),
  };
  ids = {
    helpDesk: await idOf(NAMES.helpDesk),
    administrator: await idOf(NAMES.administrator),
    operator: await idOf(NAMES.operator),
  };
});

type Made = {
  readonly roles?: readonly RoleId[];
  readonly subtenantId?: number;
  readonly status?: 'active' | 'inactive';
  readonly hasPassword?: boolean;
};

let count = 0;
async function person({ roles = [1], subtenantId = 742, ...made }: Made = {}) {
  const now = testApp.clock.now();
  const email = `rights-${(count += 1)}@people.test`;
  const [account] = await insertAccounts(testApp.db, [
    {
      email,
      first_name: 'Margaret',
      last_name: 'Oduya',
      dial_code: '+1',
      mobile: `2125550${100 + count}`,
      subtenant_id: subtenantId,
      status: made.status ?? 'active',
      created_at: now,
      activated_at: now,
      email_proven_at: now,
      password_hash: made.hasPassword === false ? null : 'a hash',
    },
  ]);
  const id = account?.id ?? 0;
  if (roles.length > 0) await grantRoles(testApp.db, id, roles);
  return { id, email };
}

/** Makes a person for whom the verb would do something. */
async function personFor(verb: ConsoleVerb, of: Made) {
  const made = await person({
    ...of,
    status: verb === 'resume' ? 'inactive' : 'active',
    hasPassword: verb !== 'resend',
  });
  if (verb === 'unlock') await lock(made.email);
  if (verb === 'endSessions') await signIn(made.id);
  if (verb === 'removeKey') await addKey(made.id);
  if (verb === 'removeAppCode') await addAppCode(made.id);
  if (verb === 'mailUndo') await addOldAddress(made.id);
  if (verb === 'agree' || verb === 'stopChange') await addChange(made.id);
  return made;
}

/** The id of the key of a person that `addKey` made. */
const keyOf = (id: number) => `key-of-${id}`;

async function addKey(id: number) {
  const key = {
    credential_id: keyOf(id),
    user_id: id,
    public_key: '',
    counter: 0,
    transports: [],
    is_syncable: false,
    is_synced: false,
    aaguid: '',
    name: 'Phone',
    rp_id: 'localhost',
    added_at: testApp.clock.now(),
  };
  await insertKey(testApp.db, key);
}

async function addAppCode(id: number) {
  const now = testApp.clock.now();
  const row = { id: `app-of-${id}`, user_id: id, secret: '', added_at: now, confirmed_at: now };
  await testApp.db.insertInto('app_codes').values(row).execute();
}

/** A change that another staff member asked for, and whose mailbox answered. */
async function addChange(id: number) {
  const now = testApp.clock.now();
  await testApp.db
    .insertInto('staff_changes')
    .values({
      id: `change-of-${id}`,
      user_id: id,
      what: 'email',
      email: `new-${id}@people.test`,
      dial_code: '',
      mobile: '',
      asked_by: 1,
      with_operator: true,
      asked_at: now,
      link_key_hash: `link-of-${id}`,
      opened_at: now,
    })
    .execute();
}

/** A change of the address that can be undone. */
async function addOldAddress(id: number) {
  const now = testApp.clock.now();
  await testApp.db
    .insertInto('contact_changes')
    .values({
      id: `moved-${id}`,
      user_id: id,
      sign_in_id: null,
      contact: 'email',
      email: `person-${id}@people.test`,
      dial_code: '',
      mobile: '',
      asked_at: now,
      changed_at: now,
      undo_until: later(now, 72 * 60 * MINUTE * 1000),
      old_email: `before-${id}@people.test`,
      old_email_canonical: `before-${id}@people.test`,
    })
    .execute();
}

async function lock(email: string) {
  const secretBox = createSecretBox(SECRET);
  const { db, clock, config } = testApp;
  const limits = createRateLimits({
    db,
    clock,
    secretBox,
    config: { ...config, limitFactor: 100 },
  });
  const use = [RATE_LIMITS.codePerMailbox, email] as const;
  await limits.isWithin(...Array.from({ length: 1000 }, () => use));
}

async function signIn(userId: number) {
  const now = testApp.clock.now();
  const visitId = crypto.randomUUID();
  const times = { created_at: now, seen_at: now };
  await testApp.db
    .insertInto('visits')
    .values({ id: visitId, token_hash: hashToken(visitId), subtenant_id: 742, ...times })
    .execute();
  await testApp.db
    .insertInto('sign_ins')
    .values({
      id: randomId(),
      app_state: randomId(),
      visit_id: visitId,
      user_id: userId,
      entrance: 'portal',
      stage: 'complete',
      verified_at: now,
      completed_at: now,
      ended_at: null,
      ...times,
    })
    .execute();
}

const KINDS: Readonly<Record<Exclude<PersonKind, 'oneself'>, Made>> = {
  colleague: { roles: [1, 4] },
  elsewhere: { subtenantId: 900 },
  staff: { roles: [1, 5] },
  member: {},
};

/** The events that a staff member wrote about an account. */
async function eventsBy(role: ConsoleRole, userId: number) {
  const rows = await testApp.db
    .selectFrom('audit_events')
    .select(['kind', 'details'])
    .where('actor', '=', `staff:${ids[role]}`)
    .where('user_id', '=', userId)
    .execute();
  return rows;
}

/** The same, without the looks that each page of a verb is. */
const actsBy = async (role: ConsoleRole, userId: number) =>
  (await eventsBy(role, userId)).filter(({ kind }) => kind !== 'console.looked');

/** The row of a verb in the table of docs/operations/help-desk.md. */
const rowOf = (verb: ConsoleVerb) =>
  GUIDE.split('\n').find((line) => line.startsWith(`| \`${verb}\` |`)) ?? '';

/** The last event that the row names. */
const eventOf = (verb: ConsoleVerb) =>
  rowOf(verb)
    .match(/\w+\.\w+/g)
    ?.at(-1);

async function isDone(role: ConsoleRole, verb: ConsoleVerb, kind: PersonKind): Promise<boolean> {
  const desk = desks[role];
  const id = kind === 'oneself' ? ids[role] : (await personFor(verb, KINDS[kind])).id;
  if (verb === 'look') await desk.open(`/console/people/${id}`);
  else {
    const fields: Record<string, string> | undefined = {
      giveRole: { role: '9' },
      takeRole: { role: '1' },
      correctEmail: { email: `corrected-${id}@people.test` },
      correctPhone: { phone: '+15550100199' },
      removeKey: { key: keyOf(id) },
    }[verb as string];
    await desk.send(`/console/people/${id}/${verb}`, fields);
  }
  if (verb === 'erase') {
    const row = await testApp.db.selectFrom('users').where('id', '=', id).select('id').execute();
    return row.length === 0;
  }
  const kinds = (await eventsBy(role, id)).map((event) => event.kind);
  const wanted = eventOf(verb);
  return wanted !== undefined && kinds.includes(wanted);
}

const KINDS_BY_ROLE = CONSOLE_ROLES.flatMap((role) =>
  PERSON_KINDS.map((kind) => [role, kind] as const),
);
test.each(KINDS_BY_ROLE)('[CON-03] [HOU-01] %s and %s, by one verb', async (role, kind) => {
  expect(await isDone(role, 'suspend', kind)).toBe(mayDo(role, 'suspend', kind));
});

describe('[HOU-01] an administrator of a house', () => {
  test('switches off its help desk, and finds neither a colleague nor another house', async () => {
    const desk = await person({ roles: [3] });
    const open = (id: number) => desks.administrator.open(`/console/people/${id}`);
    expect((await open(desk.id)).page?.kind).toBe('person');
    const path = `/console/people/${desk.id}`;
    expect((await desks.administrator.send(`${path}/suspend`)).location).toBe(
      `${path}?done=suspend`,
    );
    const colleague = await person();
    const row = { subtenant_id: 742, given_by: null, given_at: testApp.clock.now() };
    await testApp.db
      .insertInto('house_administrators')
      .values({ ...row, user_id: colleague.id })
      .execute();
    for (const id of [colleague.id, ids.operator, (await person({ subtenantId: 900 })).id, 1]) {
      expect((await open(id)).status).toBe(404);
    }
  });

  test.each(['subtenant_id', 'closing_at', 'status', 'row'])(
    'has no right after a change of %s',
    async (column) => {
      const { userId } = await testApp.visitor().register({
        emailAddress: `ends-${column}@people.test`,
      });
      const of = testApp.db.updateTable('users').where('id', '=', userId);
      await of.set({ subtenant_id: 742 }).execute();
      const row = { subtenant_id: 742, given_by: null, given_at: testApp.clock.now() };
      await testApp.db
        .insertInto('house_administrators')
        .values({ ...row, user_id: userId })
        .execute();
      const desk = await openDesk(testApp, `ends-${column}@people.test`);
      expect((await desk.open('/console')).status).toBe(200);
      if (column === 'row') {
        await testApp.db.deleteFrom('house_administrators').where('user_id', '=', userId).execute();
      } else {
        const now = testApp.clock.now();
        const to = { subtenant_id: 900, closing_at: now, status: 'inactive' }[column];
        await of.set({ [column]: to }).execute();
        // A move and a closing end it for good.
        await of.set({ subtenant_id: 742, closing_at: null }).execute();
      }
      expect((await desk.open('/console')).status).toBe(303);
    },
  );
});

/** The table itself is tried in `console-rights.test.ts`: here each verb asks it, and does something where it may. */
describe('[CON-03] each verb asks the table', { tags: 'long' }, () => {
  test.each(CONSOLE_VERBS.filter((verb) => verb !== 'invite'))('%s', async (verb) => {
    for (const [role, kind] of [
      ['operator', 'member'],
      ['helpDesk', 'member'],
      ['helpDesk', 'elsewhere'],
      ['administrator', 'member'],
      ['administrator', 'staff'],
    ] as const) {
      expect([role, kind, await isDone(role, verb, kind)]).toEqual([
        role,
        kind,
        mayDo(role, verb, kind),
      ]);
    }
  });
});

async function listRoles(roles: readonly number[]) {
  await testApp.db.deleteFrom('house_roles').execute();
  const rows = roles.map((role_id) => ({ subtenant_id: 742, role_id }));
  await testApp.db.insertInto('house_roles').values(rows).execute();
}

describe.each(CONSOLE_ROLES)('[CON-03] %s', (role) => {
  test.each([
    ['1', 'member'],
    ['5', 'staff'],
    ['3', 'colleague'],
  ] as const)('invites for role %s: %s', async (roleId, kind) => {
    if (role === 'administrator') await listRoles([5]);
    const email = `invited-${(count += 1)}@people.test`;
    await desks[role].send(
      '/console/invite',
      { firstName: 'Ruth', lastName: 'Castellanos', email, role: roleId },
      '/console/invite',
    );
    const row = await testApp.db
      .selectFrom('invitations')
      .select(['role_id', 'subtenant_id', 'sent_by'])
      .where('email', '=', email)
      .executeTakeFirst();
    expect(row !== undefined).toBe(mayDo(role, 'invite', kind));
    expect(await findAccountByEmail(testApp.db, email)).toBeUndefined();
    if (!row) return;
    const { subtenant_id } = await testApp.db
      .selectFrom('users')
      .select('subtenant_id')
      .where('id', '=', ids[role])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ role_id: Number(roleId), subtenant_id, sent_by: ids[role] });
  });
});

test('[CON-03] docs/operations/help-desk.md draws the table', () => {
  const words = (role: ConsoleRole, verb: ConsoleVerb) =>
    PERSON_KINDS.toReversed()
      .filter((kind) => mayDo(role, verb, kind))
      .join(', ') || 'nobody';
  for (const verb of CONSOLE_VERBS) {
    const cells = CONSOLE_ROLES.map((role) => words(role, verb)).join(' | ');
    expect(rowOf(verb)).toContain(`| \`${verb}\` | ${cells} | \``);
  }
});

async function rolesOf(id: number) {
  const rows = await testApp.db
    .selectFrom('user_roles')
    .select('role_id')
    .where('user_id', '=', id)
    .orderBy('role_id')
    .execute();
  return rows.map((row) => row.role_id);
}

describe('[CON-03] raising one’s own rights', () => {
  test.each(['2', '3', '4', '5', '11', '0', '999', '1e1', ''])(
    'a help desk gives no role %j',
    async (role) => {
      const { id } = await person();
      const { page } = await desks.helpDesk.send(`/console/people/${id}/giveRole`, { role });
      expect(page).toMatchObject({ kind: 'verb', fields: [{ problem: expect.any(String) }] });
      expect(await rolesOf(id)).toEqual([1]);
    },
  );

  test.each(['3', '4'])('an operator gives no role %s: it carries rights here', async (role) => {
    const { id } = await person();
    await desks.operator.send(`/console/people/${id}/giveRole`, { role });
    expect(await rolesOf(id)).toEqual([1]);
  });

  test.each(['-1', '0', '1e3', '99999999999999999999', 'abc', '1;2'])(
    'the id %j is nobody',
    async (id) => {
      const { status } = await desks.operator.open(`/console/people/${id}`);
      expect(status).toBe(404);
    },
  );

  test('a decoy row is nobody', async () => {
    const { id } = await person();
    await testApp.db
      .updateTable('users')
      .set({ shadow_of: ids.operator })
      .where('id', '=', id)
      .execute();
    expect((await desks.operator.open(`/console/people/${id}`)).status).toBe(404);
    await testApp.db.deleteFrom('users').where('id', '=', id).execute();
  });

  test('somebody who may not be seen looks like nobody', async () => {
    const hidden = await person({ subtenantId: 900 });
    const [seen, nobody] = [
      await desks.helpDesk.open(`/console/people/${hidden.id}`),
      await desks.helpDesk.open('/console/people/1'),
    ];
    const shown = ({ page }: typeof seen) => page && { ...page, once: '', now: 0 };
    expect([seen.status, shown(seen)]).toEqual([nobody.status, shown(nobody)]);
  });

  test('a page that was shown before the person got console rights changes nothing', async () => {
    const { id } = await person();
    const path = `/console/people/${id}/suspend`;
    expect((await desks.operator.open(path)).page?.kind).toBe('verb');
    await grantRoles(testApp.db, id, [4]);
    expect((await desks.operator.send(path, {}, '/console')).status).toBe(404);
    expect((await actsBy('operator', id)).map(({ kind }) => kind)).toEqual([]);
  });

  test('the second tab of a suspended staff member changes nothing', async () => {
    const { desk, id: own } = await ownDesk([3]);
    const { id } = await person();
    const { page } = await desk.open(`/console/people/${id}/suspend`);
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('id', '=', own)
      .execute();
    const body = new URLSearchParams({ how: 'called', xsrf: page?.xsrf ?? '' });
    const answer = await desk.visitor.request(`/console/people/${id}/suspend`, {
      method: 'POST',
      body,
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      '/account/signin?next=console',
    ]);
    expect((await desk.open(`/console/people/${id}`)).page).toBe(null);
  });

  test('a staff member whose role was taken is out at the next page', async () => {
    const { desk, id } = await ownDesk([3]);
    expect((await desk.open('/console')).status).toBe(200);
    await testApp.db.deleteFrom('user_roles').where('user_id', '=', id).execute();
    expect((await desk.open('/console')).location).toBe('/account/ErrorPage');
  });

  test('a help desk of another subtenant has no rights there', async () => {
    const { desk } = await ownDesk([3], 900);
    expect((await desk.open('/console')).location).toBe('/account/ErrorPage');
  });
});

async function ownDesk(roles: readonly RoleId[], subtenantId = 742) {
  const email = `desk-${(count += 1)}@people.test`;
  const { userId: id } = await testApp.visitor().register({ emailAddress: email });
  await testApp.db
    .updateTable('users')
    .set({ subtenant_id: subtenantId })
    .where('id', '=', id)
    .execute();
  await grantRoles(testApp.db, id, roles);
  return { id, email, desk: await openDesk(testApp, email) };
}

describe('[CON-07] the code of the last five minutes', { tags: 'long' }, () => {
  test('of a contact that was changed within 72 hours opens no verb, and none is sent', async () => {
    const { id: staffId, email, desk: before } = await ownDesk([3]);
    const path = `/console/people/${(await person()).id}/suspend`;
    expect((await before.open(path)).page).toMatchObject({ isFresh: true });
    const now = testApp.clock.now();
    await testApp.db
      .insertInto('contact_changes')
      .values({
        id: crypto.randomUUID(),
        user_id: staffId,
        sign_in_id: null,
        contact: 'email',
        email,
        dial_code: '',
        mobile: '',
        asked_at: now,
        changed_at: now,
        undo_until: later(now, 72 * 60 * MINUTE * 1000),
      })
      .execute();
    await testApp.db
      .updateTable('users')
      .set({ dial_code: '', mobile: '' })
      .where('id', '=', staffId)
      .execute();
    testApp.clock.advance(MINUTE);
    const desk = await openDesk(testApp, email);
    expect((await desk.send(path, { step: 'check', code: '000000' })).page).toMatchObject({
      kind: 'verb',
      isFresh: false,
    });
    const closed = { isFresh: false, code: { canBeSent: false, sentTo: null, lost: null } };
    expect((await desk.open(path)).page).toMatchObject(closed);
    expect((await desk.send(path)).page).toMatchObject({ kind: 'verb', ...closed });
    await desk.send(path, { step: 'send' });
    expect((await desk.open(path)).page).toMatchObject(closed);
  });

  test('without it every verb but the resend changes nothing; one’s own code opens them', async () => {
    const { desk } = await ownDesk([3]);
    testApp.clock.advance(6 * MINUTE);
    const { id } = await person();
    const path = `/console/people/${id}/suspend`;
    expect((await desk.open(path)).page).toMatchObject({ isFresh: false, code: { sentTo: null } });
    expect((await desk.send(path)).page).toMatchObject({ kind: 'verb', isFresh: false });
    const waiting = await person({ hasPassword: false });
    expect((await desk.send(`/console/people/${waiting.id}/resend`)).status).toBe(303);
    await desk.send(path, { step: 'send' });
    expect((await desk.send(path, { step: 'check', code: '000000' })).page).toMatchObject({
      problem: expect.any(String),
    });
    expect((await desk.open(path)).page).toMatchObject({ isFresh: false });
    testApp.clock.advance(3 * MINUTE);
    expect((await desk.stepUp(path)).page).toMatchObject({ kind: 'verb', isFresh: true });
    expect((await desk.send(path)).location).toBe(`/console/people/${id}?done=suspend`);
  });

  test('[ACC-16] a code that cannot arrive is told, until a new one is sent', async () => {
    const { desk } = await ownDesk([3]);
    testApp.clock.advance(6 * MINUTE);
    const path = `/console/people/${(await person()).id}/suspend`;
    await desk.send(path, { step: 'send' });
    expect((await desk.open(path)).page).toMatchObject({ code: { canBeSent: true, lost: null } });
    await testApp.app.outbox.settle();
    await testApp.db.updateTable('messages').set({ state: 'failed', reason: 'invalid' }).execute();
    const lost = expect.stringContaining('could not be delivered');
    expect((await desk.open(path)).page).toMatchObject({ code: { canBeSent: true, lost } });
    await desk.send(path, { step: 'send' });
    expect((await desk.open(path)).page).toMatchObject({ code: { lost: null } });
  });
});

describe('[CON-07] a verb', { tags: 'long' }, () => {
  test('asks how the caller is known, and writes it into its one event', async () => {
    const desk = await openDesk(testApp, NAMES.helpDesk);
    const { id } = await person();
    const path = `/console/people/${id}/suspend`;
    for (const fields of [
      { how: '' },
      { how: 'other', note: 'x' },
      { how: 'other', note: 'a@b' },
    ]) {
      expect((await desk.send(path, fields)).page?.kind).toBe('verb');
    }
    await desk.send(path, { how: 'other', note: 'Knows the name of the cat' });
    expect(await actsBy('helpDesk', id)).toEqual([
      {
        kind: 'account.suspended',
        details: { how: 'other', note: 'Knows the name of the cat' },
      },
    ]);
  });

  test('mails exactly the words that its page showed', async () => {
    const desk = await openDesk(testApp, NAMES.helpDesk);
    const { id, email } = await person();
    const { page } = await desk.open(`/console/people/${id}/suspend`);
    if (page?.kind !== 'verb' || !page.told) throw new Error('No words');
    await desk.send(`/console/people/${id}/suspend`);
    const [mail] = await testApp.inbox(email);
    expect(mail?.subject).toBe(page.told.subject);
    for (const line of page.told.lines) expect(mail?.text).toContain(line);
  });

  test('shows the words in the person’s language, and in the staff’s', async () => {
    const desk = await openDesk(testApp, NAMES.helpDesk);
    const { id, email } = await person();
    await testApp.db.updateTable('users').set({ language: 'es' }).where('id', '=', id).execute();
    for (const verb of ['suspend', 'mailReset', 'correctEmail']) {
      const { page } = await desk.open(`/console/people/${id}/${verb}`);
      if (page?.kind !== 'verb' || !page.told) throw new Error(`No words: ${verb}`);
      expect(page.told.forStaff?.subject).not.toBe(page.told.subject);
    }
    const { page } = await desk.send(`/console/people/${id}/suspend`);
    expect(page).toBe(null);
    const [mail] = await testApp.inbox(email);
    expect(mail?.subject).toContain('Su cuenta');
  });

  test('that would do nothing now is told why, and does nothing when it is sent all the same', async () => {
    const desk = await openDesk(testApp, NAMES.helpDesk);
    const { id, email } = await person();
    const { page } = await desk.send(`/console/people/${id}/resume`);
    expect(page).toMatchObject({ kind: 'verb', rest: 'notSwitchedOff' });
    expect(await actsBy('helpDesk', id)).toEqual([]);
    expect(await testApp.inbox(email)).toEqual([]);
  });

  test('sent twice by a double click is done once', async () => {
    const desk = await openDesk(testApp, NAMES.helpDesk);
    const { id, email } = await person();
    const path = `/console/people/${id}/mailReset`;
    for (const _ of [1, 2]) await desk.send(path, { once: `twice-${id}` });
    expect(await testApp.inbox(email)).toHaveLength(1);
  });
});
