/** An act of My account that meets the end of its session: a new password elsewhere is committed while it waits. */

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { lockAccount } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import { endAllAccess } from '../access/sessions.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { addApp, appCodeAt } from '../testing/app-code.ts';
import { createDevice } from '../testing/authenticator.ts';
import { untilWaiting } from '../testing/row-lock.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

const MINUTE = 60;
const pages = createAccountPages(() => testApp);
type Person = Awaited<ReturnType<typeof pages.signedIn>>;

const form = ({ visitor }: Person, page: string, fields: Record<string, string>) =>
  pages.send(visitor, fields, `/account/me/${page}`);

const withApp = async (person: Person) => {
  await addApp(testApp, person.userId);
};

async function withKey({ visitor }: Person) {
  const device = createDevice(testApp.url, {});
  const options = await visitor.ok('keyCreation', { body: { isByItself: false } });
  return { answer: device.create(options) };
}

/** Each act: what is there before it, and the press. */
const ACTS: Readonly<Record<string, (person: Person) => Promise<() => Promise<unknown>>>> = {
  async password(person) {
    const next = { password: 'Lantern-Porch-9', confirmPassword: 'Lantern-Porch-9' };
    return () => form(person, 'password', next);
  },
  closing: async (person) => () => form(person, 'close', {}),
  helper: async (person) => () =>
    form(person, 'helpers', { helperEmail: `of-${person.email}`, relation: 'my son' }),
  async help(person) {
    const member = await pages.signedIn();
    await form(member, 'helpers', { helperEmail: person.email, relation: 'my son' });
    const [asked] = (await pages.open(person.visitor, '/account/me/people')).people;
    return () => form(person, 'people', { do: 'accept', help: asked?.id ?? '' });
  },
  async app(person) {
    await form(person, 'app-codes', { do: 'start' });
    const { appCode } = await pages.open(person.visitor, '/account/me/app-codes');
    const key = (appCode?.setUp?.key ?? '').replaceAll(' ', '');
    const code = appCodeAt(key, testApp.clock.now());
    return () => form(person, 'app-codes', { do: 'confirm', appCode: code });
  },
  async noApp(person) {
    await withApp(person);
    return () => form(person, 'app-codes', { do: 'remove' });
  },
  async recoveryCodes(person) {
    await withApp(person);
    return () => form(person, 'app-codes', { do: 'renew' });
  },
  async key(person) {
    const body = await withKey(person);
    return () => person.visitor.call('saveKey', { body });
  },
  async noKey(person) {
    const body = await withKey(person);
    await person.visitor.call('saveKey', { body });
    return () => form(person, 'keys', { key: body.answer.id });
  },
  noPhone: async (person) => () => form(person, 'phone', { do: 'remove' }),
};

/** What these acts change. */
async function waysInto(id: number) {
  const { rows } = await sql`select
    (select row_to_json(u) from (select mobile, password_hash, closing_at from users where id = ${id}) u) as account,
    (select json_agg(k.removed_at) from saved_keys k where user_id = ${id}) as keys,
    (select json_agg(row_to_json(a)) from app_codes a where user_id = ${id}) as apps,
    (select json_agg(r.hash) from recovery_codes r join app_codes a on a.id = r.app_code_id where user_id = ${id}) as recovery,
    (select json_agg(row_to_json(h)) from helpers h where member_id = ${id} or helper_id = ${id} or email like '%' || (select email from users where id = ${id})) as helpers`.execute(
    testApp.db,
  );
  return rows;
}

/** A form leads to its page, or shows it again with the step-up; a call says that there is no session. */
const saidBy = (answer: unknown) =>
  answer instanceof Response
    ? `${answer.status} ${answer.headers.get('location')}`
    : (answer as { readonly errorFlag?: string }).errorFlag;

/** What happens to the session while the act waits. */
const ENDS = {
  'whose session ends': (db: Db, id: number) => endAllAccess(adminContextOf(testApp), db, id),
  'whose proof grows old': async () => testApp.clock.advance(11 * MINUTE),
  'whose account is switched off by hand': (db: Db, id: number) =>
    db.updateTable('users').set({ status: 'inactive' }).where('id', '=', id).execute(),
};

/** What `npm test` does in a session that ends meanwhile. */
const OFTEN = ['password', 'closing', 'helper', 'app', 'key'];

describe.each(Object.entries(ENDS))(
  '[ACC-12] an act %s while it waits changes nothing',
  (how, end) => {
    // The password of now, which may stand for a fresh proof, grows no older.
    const acts = Object.entries(ACTS).filter(
      ([name]) => how !== 'whose proof grows old' || name !== 'password',
    );
    for (const [name, prepare] of acts) {
      const tags = how === 'whose session ends' && OFTEN.includes(name) ? [] : ['long'];
      test(`by ${name}`, { tags }, async () => {
        const person = await pages.signedIn();
        const press = await prepare(person);
        const before = await waysInto(person.userId);
        const pressed = await testApp.db.transaction().execute(async (transaction) => {
          await lockAccount(transaction, person.userId);
          const under = { way: press().catch((error: unknown) => error) };
          await Promise.race([under.way, untilWaiting(testApp.db, 1)]);
          await end(transaction, person.userId);
          return under;
        });
        expect(saidBy(await pressed.way)).toMatch(/^303 \/account\/me\/|^200 |^NO_SESSION$/);
        expect(await waysInto(person.userId)).toEqual(before);
      });
    }
  },
);
