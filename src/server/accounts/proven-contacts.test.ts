import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { demoEmail } from '../demo/seed.ts';
import { findAccount, insertAccounts } from './account-store.ts';
import { createNewcomer, newestLink, type Newcomer, pressLink } from '../testing/proving.ts';
import { resetPassword } from '../testing/reset.ts';
import { createTestApp, PASSWORD } from '../testing/test-app.ts';
import { createWire, wireClients } from '../testing/wire.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 50 })),
);
const wire = createWire(testApp);

let count = 0;
function newcomer(more: { password?: string } = {}): Newcomer {
  count += 1;
  return createNewcomer(testApp, {
    emailAddress: `proof-${count}@example.test`,
    mobileNumber: `55501${String(40_000 + count)}`,
    password: PASSWORD,
    ...more,
  });
}

/** Up to an active account, proven by what is sent to one of its two contacts. */
async function activated(by: 'mail' | 'text') {
  const person = newcomer();
  await person.signUp();
  await person.send();
  expect((await (by === 'mail' ? person.readMail() : person.readText())).data).toBe(true);
  const answer = await person.activate();
  expect(answer.data).toBe(true);
  return { ...person, answer };
}

const mailOf = ({ person }: Newcomer) => person.emailAddress;
const phoneOf = ({ person }: Newcomer) => person.mobileNumber;
const rowOf = (person: Newcomer) =>
  testApp.db
    .selectFrom('users')
    .selectAll()
    .where('email_canonical', '=', mailOf(person))
    .executeTakeFirstOrThrow();

/** What every door of the hosted login says of the same person. */
async function claims(person: Newcomer) {
  const tokens = await wire.tokens(person.visitor, { scope: 'openid email phone' });
  const response = await fetch(`${wire.issuer}userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const idToken = decodeJwt(tokens.id_token ?? '');
  const { access_token: machine } = await wire.machine();
  const managed = await wire.manage(machine, 'GET', `users/${idToken.sub}`);
  const pick = (from: Record<string, unknown>, phone: string) => [
    from.email_verified,
    from[phone],
    from.phone_number,
  ];
  return {
    idToken: pick(idToken, 'phone_number_verified'),
    userInfo: pick((await response.json()) as Record<string, unknown>, 'phone_number_verified'),
    managed: pick(managed.body, 'phone_verified'),
  };
}
const everywhere = (...values: unknown[]) => ({
  idToken: values,
  userInfo: values,
  managed: values,
});

describe('[PRF-01] the claims are what was read', () => {
  test('a text first, a mail at a later sign-in', async () => {
    const person = await activated('text');
    const phone = `+1${phoneOf(person)}`;
    expect(await person.signIn(phoneOf(person))).toBe(true);
    expect(await claims(person)).toEqual(everywhere(false, true, phone));
    expect(await person.signIn(mailOf(person))).toBe(true);
    expect(await claims(person)).toEqual(everywhere(true, true, phone));
  });

  test('a mail first, a text at a later sign-in', { tags: 'long' }, async () => {
    const person = await activated('mail');
    const phone = `+1${phoneOf(person)}`;
    expect(await person.signIn(mailOf(person))).toBe(true);
    expect(await claims(person)).toEqual(everywhere(true, false, phone));
    expect(await person.signIn(phoneOf(person))).toBe(true);
    expect(await claims(person)).toEqual(everywhere(true, true, phone));
  });

  test('each keeps its first moment', { tags: 'long' }, async () => {
    const person = await activated('mail');
    const { email_proven_at: first } = await rowOf(person);
    testApp.clock.advance(60);
    await person.signIn(mailOf(person));
    expect((await rowOf(person)).email_proven_at).toEqual(first);
  });

  test('a pressed link in a mail proves the mail', async () => {
    const person = newcomer();
    await person.signUp();
    await person.send();
    const link = await newestLink(testApp, mailOf(person));
    expect(await pressLink(person.visitor, link)).toBe(true);
    expect(await rowOf(person)).toMatchObject({
      email_proven_at: expect.any(Date),
      phone_proven_at: null,
      mail_codes_only: false,
    });
  });

  test('an account that a program vouches for is verified, and one that it does not is not', async () => {
    const { access_token: machine } = await wire.machine();
    const create = (email: string, email_verified: boolean) =>
      wire.manage(machine, 'POST', 'users', {
        connection: 'Username-Password-Authentication',
        email,
        password: PASSWORD,
        email_verified,
      });
    expect((await create('vouched@example.test', true)).body.email_verified).toBe(true);
    const open = await create('open@example.test', false);
    expect(open.body.email_verified).toBe(false);
    const path = `users/${String(open.body.user_id)}`;
    const vouched = await wire.manage(machine, 'PATCH', path, { email_verified: true });
    expect(vouched.body.email_verified).toBe(true);
  });
});

describe('[PRF-02] proven by a text alone', () => {
  test('the answer says so, the account is active, and a mail was sent all the same', async () => {
    const person = await activated('text');
    expect(person.answer.messages).toEqual(['PHONE_VERIFIED']);
    expect((await activated('mail')).answer.messages).toEqual([]);
    expect(await rowOf(person)).toMatchObject({ status: 'active', email_proven_at: null });
    expect(await testApp.inbox(mailOf(person))).toHaveLength(1);
    // Enter pressed again, or an answer that got lost.
    expect((await person.activate()).messages).toEqual(['PHONE_VERIFIED']);
    const { activated: news } = await person.visitor.ok('getVisit', {});
    expect(news).toBe(person.state.registrationId);
  });

  test(
    'its own link, pressed in the browser that signed up, proves the mail and changes nothing else',
    { tags: 'long' },
    async () => {
      const person = await activated('text');
      const link = await newestLink(testApp, mailOf(person));
      const shown = (await person.visitor.call('validateLink', { body: link })).data;
      expect(shown).toMatchObject({ isDone: false, canConfirm: true, canSendOtp: false });
      expect(await person.signIn(phoneOf(person))).toBe(true);
      expect(await pressLink(person.visitor, link)).toBe(true);
      expect(await rowOf(person)).toMatchObject({
        email_proven_at: expect.any(Date),
        mail_codes_only: false,
      });
      expect(await person.hasSession()).toBe(true);
      // Now there is nothing left to prove.
      expect((await person.visitor.call('validateLink', { body: link })).data?.isDone).toBe(true);
    },
  );

  test('"I did not sign up" in its mail deletes the account', { tags: 'long' }, async () => {
    const person = await activated('text');
    expect(await person.signIn(phoneOf(person))).toBe(true);
    const link = await newestLink(testApp, mailOf(person));
    expect(await testApp.visitor().ok('rejectLink', { body: link })).toBe(true);
    expect(await person.hasSession()).toBe(false);
    expect(await person.signIn(phoneOf(person))).toBe(false);
    const owner = createNewcomer(testApp, person.person);
    await owner.visitor.register(owner.person);
    expect(await rowOf(owner)).toMatchObject({ email_proven_at: expect.any(Date) });
  });

  test(
    'a mailed code at sign-in ends what others typed for the same address',
    { tags: 'long' },
    async () => {
      const person = await activated('text');
      const other = createNewcomer(testApp, { ...person.person, password: 'Other-Pass-9' });
      await other.signUp();
      await other.send();
      const code = other.state.mailCode;
      expect(await person.signIn(mailOf(person))).toBe(true);
      const late = await other.visitor.verify(other.state.otpId, other.state.userId, code);
      expect(late.succeeded).toBe(false);
      expect(await person.hasSession()).toBe(true);
    },
  );

  test('a second text does not take it over', { tags: 'long' }, async () => {
    const person = await activated('text');
    const other = createNewcomer(testApp, { ...person.person, mobileNumber: '5550177777' });
    await other.signUp();
    await other.send();
    expect(await testApp.inbox('5550177777')).toEqual([]);
    // One that was on its way before the account was there.
    const early = newcomer();
    const late = createNewcomer(testApp, { ...early.person, mobileNumber: '5550188888' });
    for (const each of [early, late]) {
      await each.signUp();
      await each.send();
    }
    await early.readText();
    expect((await early.activate()).data).toBe(true);
    expect((await late.readText()).data).toBe(true);
    expect((await late.activate()).status).toBe(403);
    expect(await early.signIn(phoneOf(early))).toBe(true);
  });
});

describe('[PRF-02] a link that was pressed elsewhere', () => {
  async function pressedElsewhere() {
    const person = newcomer();
    await person.signUp();
    await person.send();
    const link = await newestLink(testApp, mailOf(person));
    expect(await pressLink(testApp.visitor(), link)).toBe(true);
    return person;
  }

  test('sign-in codes go by mail alone, until a mailed code was typed beside the password', async () => {
    const person = await pressedElsewhere();
    expect(await rowOf(person)).toMatchObject({ status: 'active', mail_codes_only: true });
    const texts = (await testApp.inbox(phoneOf(person))).length;
    expect(await person.signIn(phoneOf(person))).toBe(false);
    expect(await testApp.inbox(phoneOf(person))).toHaveLength(texts);
    // The code that this try sent is on its way for two minutes.
    testApp.clock.advance(121);
    expect(await person.signIn(mailOf(person))).toBe(true);
    expect(await person.signIn(phoneOf(person))).toBe(true);
  });

  test(
    'the mailed code, typed where the link was followed, is the same',
    { tags: 'long' },
    async () => {
      const person = newcomer();
      await person.signUp();
      await person.send();
      const follower = testApp.visitor();
      const link = await newestLink(testApp, mailOf(person));
      await follower.ok('validateLink', { body: link });
      const sent = await follower.sendCode(person.state.userId, 'USER_ACTIVATION');
      const otp = await testApp.codeFor(mailOf(person));
      const { userId, registrationId } = person.state;
      const otpId = sent.data?.id ?? '';
      await follower.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } });
      await follower.ok('activateUser', {
        body: { userId, userRegstrtnId: registrationId, otpId },
      });
      expect(await rowOf(person)).toMatchObject({ mail_codes_only: true });
    },
  );

  test('a reset by mail clears it, and drops the phone', { tags: 'long' }, async () => {
    const person = await pressedElsewhere();
    await resetPassword(testApp, mailOf(person), 'Evening-Light-8');
    expect(await rowOf(person)).toMatchObject({ mail_codes_only: false, mobile: '' });
  });
});

test('[PRF-02] a reset by mail keeps the phone of who typed the mailed code at sign-up', async () => {
  const person = await activated('mail');
  await resetPassword(testApp, mailOf(person), 'Evening-Light-8');
  expect(await rowOf(person)).toMatchObject({ mobile: phoneOf(person), phone_proven_at: null });
});

describe(
  '[PRF-02] S40: the name of a stranger goes with the rest when the owner sets a password by mail',
  { tags: 'long' },
  () => {
    test('from page, hand-off, tokens and mails', async () => {
      const stranger = await activated('text');
      const email = mailOf(stranger);
      await testApp.db
        .updateTable('users')
        .set({ first_name: 'Mallory', last_name: 'Vex' })
        .where('email_canonical', '=', email)
        .execute();
      await resetPassword(testApp, email, 'Evening-Light-8');
      expect(await rowOf(stranger)).toMatchObject({ first_name: '', last_name: '', mobile: '' });
      const owner = testApp.visitor();
      expect(await owner.signIn(email, 'Evening-Light-8')).toMatchObject({ memberName: email });
      const tokens = await wire.tokens(owner, { scope: 'openid email profile' });
      expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ name: email });
      expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('given_name');
      const [newest] = await testApp.inbox(email);
      expect(newest?.text).toMatch(/^Hello,/m);
      // The mail with the link was sent before anything was proven.
      const named = (await testApp.inbox(email)).filter(({ text }) => text.includes('Mallory'));
      expect(named.map(({ link }) => link?.includes('resetLinkKey'))).toEqual([true]);
    });

    test('not the name that an operator gave with the invitation', async () => {
      const [account] = await insertAccounts(testApp.db, [
        {
          email: 'invited.s40@example.test',
          first_name: 'Nora',
          last_name: 'Lind',
          dial_code: '',
          mobile: '',
          subtenant_id: 742,
          status: 'active',
          created_at: testApp.clock.now(),
          activated_at: testApp.clock.now(),
        },
      ]);
      await resetPassword(testApp, String(account?.email), 'Evening-Light-8');
      const row = await findAccount(testApp.db, account?.id ?? 0);
      expect(row).toMatchObject({ first_name: 'Nora', last_name: 'Lind' });
    });
  },
);

describe('[PRF-02] the first sign-in is told to the mailbox', () => {
  const TOLD = 'The first sign-in to your Rosewood Senior Living account';
  const toldTo = async (email: string) =>
    (await testApp.inbox(email)).filter(({ subject }) => subject === TOLD);

  test('once, also of an account that a text alone has proven', async () => {
    const person = await activated('text');
    expect(await toldTo(mailOf(person))).toEqual([]);
    for (let n = 0; n < 2; n += 1) expect(await person.signIn(phoneOf(person))).toBe(true);
    const [mail, ...more] = await toldTo(mailOf(person));
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ code: null, link: null });
    expect(mail?.text).toContain('Was this not you? Call us now. Or choose a new password');
  });

  test('not of people who have been here before', { tags: 'long' }, async () => {
    await testApp.visitor().signIn('member');
    expect(await toldTo(demoEmail('member'))).toEqual([]);
  });
});
