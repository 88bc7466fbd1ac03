/**
 * [PRF-24] Every proof answers its own question: each kind of code against each other kind, and against a second question
 * of its own kind, on two instances; and what ends with the ten minutes or with a new password.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken, randomId, randomToken } from '../../crypto/secret-box.ts';
import { createAccountPages } from '../account-pages.ts';
import { resetPassword } from '../reset.ts';
import { createTestAppWithPages, PASSWORD, type TestApp, type Visitor } from '../test-app.ts';
import { activation } from '../visitor.ts';

const MINUTE = 60;
const EMAIL = '/account/me/email';
const PHONE = '/account/me/phone';
const DEVICES = '/account/me/devices';

let other: TestApp;
const one = await createTestAppWithPages({ limitFactor: 1000 });
beforeAll(async () => {
  const { database, config } = one;
  const options = { limitFactor: 1000, publicUrl: config.publicUrl };
  const shared = { ...database, close: async () => {} };
  other = await createTestAppWithPages(options, { database: shared });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

const pages = createAccountPages(() => one);
const { open, send } = pages;
let count = 0;
const newEmail = () => `proof-${(count += 1)}@proofs.test`;
const newPhone = () => `20255${String(10_000 + (count += 1))}`;

/** The same browser, whose next request the second instance answers. */
function elsewhere({ cookies, ip, state }: Visitor): Visitor {
  const visitor = other.visitor(ip);
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  visitor.state.token = state.token;
  return visitor;
}

const rowOf = (id: number) =>
  one.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function newestCode(to: string): Promise<string> {
  await Promise.all([one.app.outbox.settle(), other.app.outbox.settle()]);
  return (await one.inbox(to))[0]?.code ?? 'none';
}

/** A question that a code is sent for. */
type Question = {
  /** Asks it, and returns the code. */
  ask(): Promise<string>;
  answer(code: string): Promise<unknown>;
  /** Whether the answer took effect. */
  took(): Promise<boolean>;
};

/** A person with a proven mailbox and phone, and a session of now. */
async function createPerson() {
  const [email, phone] = [newEmail(), newPhone()];
  const { userId } = await one.visitor().register({ emailAddress: email, mobileNumber: phone });
  const proven = { phone_proven_at: one.clock.now() };
  await one.db.updateTable('users').set(proven).where('id', '=', userId).execute();
  const visitor = one.visitor();
  await visitor.signIn(email, PASSWORD);
  return { email, phone, userId, visitor };
}
type Person = Awaited<ReturnType<typeof createPerson>>;

async function signIn({ email, userId }: Person): Promise<Question> {
  const visitor = one.visitor();
  await visitor.givePassword(email, PASSWORD);
  let id = '';
  let isRight = false;
  return {
    async ask() {
      id = (await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION')).data?.id ?? '';
      return newestCode(email);
    },
    async answer(code) {
      isRight = (await elsewhere(visitor).verify(id, userId, code)).succeeded;
    },
    took: async () => isRight,
  };
}

/** A session whose sign-in is older than ten minutes. */
async function stepUp({ email, userId }: Person): Promise<Question> {
  const mine = one.db.selectFrom('sign_ins').select('id').where('user_id', '=', userId);
  const earlier = (await mine.execute()).map(({ id }) => id);
  const visitor = one.visitor();
  await visitor.signIn(email, PASSWORD);
  await one.db
    .updateTable('sign_ins')
    .set({ verified_at: new Date(one.clock.now().getTime() - 11 * MINUTE * 1000) })
    .where('user_id', '=', userId)
    .where('id', 'not in', earlier)
    .execute();
  return {
    async ask() {
      await send(visitor, { step: 'send' }, DEVICES);
      return newestCode(email);
    },
    answer: (code) => send(elsewhere(visitor), { step: 'check', code }, DEVICES),
    took: async () => (await open(visitor, DEVICES)).isFresh,
  };
}

async function changedEmail({ visitor, userId }: Person): Promise<Question> {
  const email = newEmail();
  return {
    async ask() {
      await send(visitor, { email }, EMAIL);
      return newestCode(email);
    },
    answer: (code) => send(elsewhere(visitor), { do: 'check', code }, EMAIL),
    took: async () => (await rowOf(userId)).email === email,
  };
}

async function changedPhone({ visitor, userId }: Person): Promise<Question> {
  const phone = newPhone();
  return {
    async ask() {
      await send(visitor, { phone, dialCode: '+1' }, PHONE);
      return newestCode(phone);
    },
    answer: (code) => send(elsewhere(visitor), { do: 'check', code }, PHONE),
    took: async () => (await rowOf(userId)).mobile === phone,
  };
}

/** A change by staff that the older phone proves, in a browser of its own. */
async function staffChange({ userId, phone }: Person): Promise<Question> {
  const email = newEmail();
  const key = randomToken();
  const page = `/account/change?key=${key}`;
  const visitor = one.visitor();
  await visitor.ok('getVisit', { query: {} });
  return {
    async ask() {
      const asked_at = one.clock.now();
      const changes = one.db.updateTable('staff_changes').set({ closed_at: asked_at });
      await changes.where('user_id', '=', userId).where('closed_at', 'is', null).execute();
      await one.db
        .insertInto('staff_changes')
        .values({
          id: randomId(),
          user_id: userId,
          what: 'email',
          email,
          dial_code: '',
          mobile: '',
          asked_by: 1,
          asked_at,
          link_key_hash: hashToken(key),
        })
        .execute();
      await one.db
        .updateTable('users')
        .set({ phone_proven_at: new Date(asked_at.getTime() - 1000) })
        .where('id', '=', userId)
        .execute();
      await send(visitor, { do: 'send' }, page);
      return newestCode(phone);
    },
    answer: (code) => send(elsewhere(visitor), { do: 'check', code }, page),
    took: async () => (await rowOf(userId)).email === email,
  };
}

/** A sign-up of another address in the browser of the session. */
async function signUp({ visitor }: Person): Promise<Question> {
  const emailAddress = newEmail();
  let created = { userId: 0, id: '' };
  let otpId = '';
  return {
    async ask() {
      created = (await visitor.signUp({ emailAddress })).data ?? created;
      otpId = (await visitor.sendCode(created.userId, 'USER_ACTIVATION')).data?.id ?? '';
      return newestCode(emailAddress);
    },
    async answer(code) {
      await elsewhere(visitor).verify(otpId, created.userId, code);
      await elsewhere(visitor).call('activateUser', { body: activation(created, otpId) });
    },
    took: async () => (await rowOf(created.userId)).status === 'active',
  };
}

/** A link for a new password after an undo: the older phone proves it, in one browser for all links. */
async function recovery({ userId, phone, visitor }: Person): Promise<Question> {
  const [id, key] = [randomId(), randomToken()];
  const page = `/account/recover?resetLinkKey=${key}`;
  return {
    async ask() {
      const now = one.clock.now();
      const proven = { phone_proven_at: new Date(now.getTime() - 1000), recovery_since: now };
      await one.db.updateTable('users').set(proven).where('id', '=', userId).execute();
      const expires_at = new Date(now.getTime() + 60_000);
      const of = { user_id: userId, subtenant_id: 742, created_at: now, expires_at, used_at: null };
      const link = { id, key_hash: hashToken(key), ...of };
      await one.db.insertInto('reset_links').values(link).execute();
      await send(visitor, { do: 'send' }, page);
      return newestCode(phone);
    },
    answer: (code) => send(elsewhere(visitor), { do: 'check', code }, page),
    async took() {
      const links = one.db.selectFrom('reset_links').select('older_proof_at').where('id', '=', id);
      return (await links.executeTakeFirstOrThrow()).older_proof_at !== null;
    },
  };
}

/** Kinds that one person can be asked at the same time. A recovery ends all sessions: it stands alone. */
const BESIDE = { signIn, stepUp, changedEmail, changedPhone, staffChange, signUp };
const KINDS = { ...BESIDE, recovery };

const CHANGES = [
  ['email', EMAIL, () => ({ email: newEmail() })],
  ['phone', PHONE, () => ({ phone: newPhone(), dialCode: '+1' })],
] as const;

/** `npm test` has one of each table, the longer run all. */
const tagsOf = (name: string) =>
  ['stepUp', 'email', 'a reset by mail'].includes(name) ? [] : ['long'];

describe('[PRF-24] the code of one question', () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    const tags = tagsOf(name);
    test(`${name}: its own answers it`, { tags }, async () => {
      const question = await kind(await createPerson());
      const code = await question.ask();
      expect(await question.took()).toBe(false);
      await question.answer(code);
      expect(await question.took()).toBe(true);
    });

    test(`${name}: asked again, the first does not answer`, { tags }, async () => {
      const person = await createPerson();
      const [first, second] = [await kind(person), await kind(person)];
      const code = await first.ask();
      const right = await second.ask();
      await second.answer(code);
      expect(await second.took()).toBe(false);
      await second.answer(right);
      expect(await second.took()).toBe(true);
    });
  }

  for (const [asked, kind] of Object.entries(BESIDE)) {
    test(`${asked}: it answers no other kind`, { tags: tagsOf(asked) }, async () => {
      const person = await createPerson();
      for (const [name, otherKind] of Object.entries(BESIDE)) {
        if (name === asked) continue;
        const [first, second] = [await kind(person), await otherKind(person)];
        const code = await first.ask();
        await second.ask();
        await second.answer(code);
        expect([name, await second.took()]).toEqual([name, false]);
      }
    });
  }

  for (const [name, page, wanted] of CHANGES) {
    test(`${name}: it proves nothing in another session`, { tags: tagsOf(name) }, async () => {
      const { email, userId, visitor } = await createPerson();
      const fields: Record<string, string> = wanted();
      const before = await rowOf(userId);
      const thief = await pages.signInAgain(email);
      await send(visitor, fields, page);
      const code = await newestCode(fields.email ?? fields.phone ?? '');
      await send(thief, wanted(), page);
      await send(thief, { do: 'check', code }, page);
      expect(await rowOf(userId)).toEqual(before);
    });
  }

  test(
    'a number that a sign-up’s form got after its code is not proven by it',
    { tags: 'long' },
    async () => {
      const visitor = one.visitor();
      const [emailAddress, own, strange] = [newEmail(), newPhone(), newPhone()];
      const created = (await visitor.signUp({ emailAddress, mobileNumber: own })).data;
      const { userId = 0, id = '' } = created ?? {};
      const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
      await visitor.verify(otpId, userId, await newestCode(own));
      await visitor.signUp({ emailAddress, mobileNumber: strange });
      const body = activation({ userId, id }, otpId);
      expect((await visitor.call('activateUser', { body })).errorFlag).toBe('FORBIDDEN');
      expect(await rowOf(userId)).toMatchObject({ status: 'pending', phone_proven_at: null });
    },
  );
});

describe('[ACC-12] a change ends with the ten minutes of its proof', () => {
  for (const [name, page, wanted] of CHANGES) {
    const tags = tagsOf(name);
    test(`${name}: no step of it works later, and what was typed is kept`, { tags }, async () => {
      const [fields, person] = [wanted(), await createPerson()];
      const { email, userId, visitor } = person;
      const [to = ''] = Object.values(fields);
      const before = await rowOf(userId);
      one.clock.advance(9.5 * MINUTE);
      await send(visitor, fields, page);
      const code = await newestCode(to);
      one.clock.advance(MINUTE);
      await send(visitor, { do: 'check', code }, page);
      expect(await rowOf(userId)).toEqual(before);
      await send(visitor, { do: 'send' }, page);
      expect(await newestCode(to)).toBe(code);
      // The page steps up, and the form has what was typed.
      expect((await open(visitor, page)).isFresh).toBe(false);
      await send(visitor, { step: 'send' }, page);
      await send(visitor, { step: 'check', code: await newestCode(email) }, page);
      const again = await open(visitor, page);
      expect(again.isFresh).toBe(true);
      expect(Object.values(again.typed)).toContain(to);
      expect(again.contacts.waitsFor).toBeUndefined();
      // The code of before the step-up proves nothing.
      await send(visitor, { do: 'check', code }, page);
      expect(await rowOf(userId)).toEqual(before);
    });

    test(
      `${name}: sent from an old page, it is kept for after the step-up`,
      { tags: 'long' },
      async () => {
        const [fields, { visitor }] = [wanted(), await createPerson()];
        const [to = ''] = Object.values(fields);
        one.clock.advance(11 * MINUTE);
        await send(visitor, fields, page);
        const asked = await open(visitor, page);
        expect(asked.isFresh).toBe(false);
        expect(Object.values(asked.typed)).toContain(to);
        expect(await newestCode(to)).toBe('none');
      },
    );
  }
});

describe('[PRF-25] a sign-in that waits for its code ends with', () => {
  const password = 'Quiet-Harbor-77';
  const ACTS = [
    [
      'a new password of My account',
      ({ visitor }: Person) =>
        send(visitor, { password, confirmPassword: password }, '/account/me/password'),
    ],
    ['a reset by mail', ({ email }: Person) => resetPassword(one, email, password)],
    [
      'a change by staff',
      async (person: Person) => {
        const change = await staffChange(person);
        await change.answer(await change.ask());
        if (!(await change.took())) throw new Error('the change took no effect');
      },
    ],
    [
      'an undo',
      async (person: Person) => {
        const change = await changedEmail(person);
        await change.answer(await change.ask());
        const mails = await pages.mailsTo(person.email);
        const { pathname, search } = new URL(
          mails.find(({ link }) => link?.includes('/account/undo'))?.link ?? '',
        );
        const browser = one.visitor();
        await browser.request(pathname + search);
        await send(browser, {}, pathname + search);
      },
    ],
  ] as const;
  for (const [name, act] of ACTS) {
    test(`${name}`, { tags: tagsOf(name) }, async () => {
      const person = await createPerson();
      const waiting = one.visitor();
      await waiting.givePassword(person.email, PASSWORD);
      // A right password at the hosted login that has not come back yet.
      const returning = one.visitor();
      const begun = await returning.begin(true);
      const { ticket } = await returning.authenticate(person.email, PASSWORD);
      await act(person);
      const sent = await waiting.sendCode(person.userId, 'TWOFACTORAUTHENTICATION');
      expect(sent.errorFlag).toBe('FORBIDDEN');
      await returning.authorize(begun.authorizeUrl, ticket);
      const late = await returning.sendCode(person.userId, 'TWOFACTORAUTHENTICATION');
      expect(late.errorFlag).toBe('FORBIDDEN');
    });
  }
});
