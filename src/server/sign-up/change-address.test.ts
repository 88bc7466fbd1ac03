import { describe, expect, test } from 'vitest';
import { demoEmail } from '../demo/seed.ts';
import { activation, createTestApp, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

let count = 0;
const newEmail = () => `typo-${(count += 1)}@example.test`;

async function waiting(emailAddress = newEmail()) {
  const visitor = testApp.visitor();
  testApp.clock.advance(1);
  const created = (await visitor.signUp({ emailAddress, firstName: 'Rosalind' })).data;
  const userId = created?.userId ?? 0;
  const id = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
  return { visitor, emailAddress, userId, id, registrationId: created?.id ?? '' };
}

const change = (
  visitor: Visitor,
  claim: { id: string; userId: number },
  emailAddress: string,
  phone: { countryCode?: string; mobileNumber?: string } = {},
) =>
  visitor.call('changeAddress', {
    body: { id: claim.id, createdBy: claim.userId, emailAddress, ...phone },
  });
const answersOf = (registrationId: string) =>
  testApp.db
    .selectFrom('survey_answers')
    .selectAll()
    .where('registration_id', '=', registrationId)
    .execute();
const usersWith = (email: string) =>
  testApp.db.selectFrom('users').selectAll().where('email_canonical', '=', email).execute();

describe('"Not your address or number? Change it"', () => {
  test('[V6] a mistyped number is mended: the code goes to the new one, and the old code is over', async () => {
    const person = await waiting();
    const { visitor, emailAddress } = person;
    const old = await testApp.codeFor(emailAddress);
    testApp.clock.advance(1);
    const number = { countryCode: '+254', mobileNumber: '0712345678' };
    const moved = (await change(visitor, person, emailAddress, number)).data;
    expect(moved).toMatchObject({ userId: person.userId, registrationId: person.registrationId });
    expect(moved?.id).not.toBe(person.id);
    // Without the zero that is dialed at home only.
    expect((await testApp.inbox('+254712345678'))[0]?.channel).toBe('sms');
    expect((await visitor.verify(person.id, person.userId, old)).succeeded).toBe(false);
    const fresh = await testApp.codeFor(emailAddress);
    expect((await visitor.verify(moved?.id ?? '', person.userId, fresh)).data).toBe(true);
    await visitor.ok('activateUser', {
      body: activation({ userId: person.userId, id: person.registrationId }, moved?.id ?? ''),
    });
    expect(await usersWith(emailAddress)).toMatchObject([
      { dial_code: '+254', mobile: '712345678', status: 'active' },
    ]);
  });

  test('[V6] the same address and number send nothing anew; a number that is none is refused', async () => {
    const person = await waiting();
    const { visitor, emailAddress } = person;
    const same = { countryCode: '+1', mobileNumber: '5550142290' };
    expect((await change(visitor, person, emailAddress, same)).data?.id).toBe(person.id);
    const short = { countryCode: '+1', mobileNumber: '555' };
    expect((await change(visitor, person, emailAddress, short)).errorFlag).toBe('PHONE_REFUSED');
  });

  test(
    'a new code goes there, and everything but the address stays',
    { tags: 'long' },
    async () => {
      const person = await waiting();
      const { visitor } = person;
      const answer = {
        userId: String(person.userId),
        responseId: '412',
        subjectId: '213',
        userSubjectDataId: '',
        subResponseData: '',
      };
      await visitor.ok('saveSurvey', { body: [answer] });
      const right = newEmail();
      const moved = (await change(visitor, person, `  ${right} `)).data;
      expect(moved).toMatchObject({ sentTo: { email: 't•••@example.test' }, remainingMs: 120_000 });
      const claim = { userId: moved?.userId ?? 0, id: moved?.registrationId ?? '' };
      expect(await answersOf(claim.id)).toHaveLength(1);
      await visitor.ok('verifyOtp', {
        body: { id: moved?.id ?? '', createdBy: claim.userId, otp: await testApp.codeFor(right) },
      });
      await visitor.ok('activateUser', { body: activation(claim, moved?.id ?? '') });
      expect(await usersWith(right)).toMatchObject([{ first_name: 'Rosalind', status: 'active' }]);
      testApp.clock.advance(1);
      expect((await visitor.signIn(right, PASSWORD)).userName).toBe(right);
    },
  );

  test(
    'the old code and the old link are dead, and the old address is free again',
    { tags: 'long' },
    async () => {
      const person = await waiting();
      const { visitor, emailAddress: wrong } = person;
      const code = await testApp.codeFor(wrong);
      const link = (await testApp.inbox(wrong)).find((message) => message.link)?.link ?? '';
      await change(visitor, person, newEmail());
      expect((await visitor.verify(person.id, person.userId, code)).status).toBe(403);
      const activationKey = atob(new URL(link).searchParams.get('UID') ?? '').split('|')[0] ?? '';
      const stranger = await testApp.visitor().call('validateLink', {
        body: {
          userRegstrtnId: person.registrationId,
          userId: person.userId,
          activationKey,
          signUpPlatform: 1,
        },
      });
      expect(stranger.errorFlag).toBe('INVALID_LINK');
      expect(await usersWith(wrong)).toEqual([]);
    },
  );

  test(
    'the form of somebody else with the old address is left alone',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      const [one, other] = [await waiting(email), await waiting(email)];
      await change(one.visitor, one, newEmail());
      const code = await testApp.codeFor(email);
      expect((await other.visitor.verify(other.id, other.userId, code)).data).toBe(true);
    },
  );

  test('the same address again: the same code, nothing moved', { tags: 'long' }, async () => {
    const person = await waiting();
    const again = (await change(person.visitor, person, person.emailAddress.toUpperCase())).data;
    expect(again).toMatchObject({ id: person.id, userId: person.userId });
    expect(await testApp.inbox(person.emailAddress)).toHaveLength(1);
  });

  test(
    '[SUP-21] an address in use is refused, and the old one still works',
    { tags: 'long' },
    async () => {
      const person = await waiting();
      for (const taken of [demoEmail('member'), demoEmail('suspended')]) {
        const answer = await change(person.visitor, person, taken);
        expect(answer).toMatchObject({ status: 200, succeeded: false, errorFlag: 'EMAIL_IN_USE' });
        expect(await testApp.inbox(taken)).toEqual([]);
      }
      const code = await testApp.codeFor(person.emailAddress);
      expect((await person.visitor.verify(person.id, person.userId, code)).data).toBe(true);
    },
  );

  test(
    '[PRF-03] an account without the role: a code to its own address, and nothing before',
    { tags: 'long' },
    async () => {
      const person = await waiting();
      const moved = (await change(person.visitor, person, demoEmail('top'))).data;
      expect(moved?.sentTo).toEqual({ email: 't•••@demo.porchlight.test', phone: null });
      const [mail, ...more] = await testApp.inbox(demoEmail('top'));
      expect([mail?.text, more]).toEqual([
        expect.stringContaining('You have an account already.'),
        [],
      ]);
      const roles = await testApp.db
        .selectFrom('user_roles')
        .innerJoin('users', 'users.id', 'user_roles.user_id')
        .select('role_id')
        .where('email', '=', demoEmail('top'))
        .execute();
      expect(roles).toEqual([{ role_id: 9 }]);
    },
  );

  test('[PRF-03] from the address of an account on to a new one', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const created = (await visitor.signUp({ emailAddress: demoEmail('special') })).data;
    const userId = created?.userId ?? 0;
    const id = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    const email = newEmail();
    const moved = (await change(visitor, { id, userId }, email)).data;
    expect(moved?.sentTo).toEqual({ email: 't•••@example.test', phone: '••• ••90' });
    const claim = { userId: moved?.userId ?? 0, id: moved?.registrationId ?? '' };
    const otp = await testApp.codeFor(email);
    await visitor.ok('verifyOtp', {
      body: { id: moved?.id ?? '', createdBy: claim.userId, otp },
    });
    await visitor.ok('activateUser', { body: activation(claim, moved?.id ?? '') });
    testApp.clock.advance(1);
    expect((await visitor.signIn(email, PASSWORD)).userName).toBe(email);
  });

  test(
    'only for the visit that signed up, with its own code, before it is done',
    { tags: 'long' },
    async () => {
      const [person, other] = [await waiting(), await waiting()];
      const email = newEmail();
      expect((await change(testApp.visitor(), person, email)).status).toBe(403);
      expect((await change(other.visitor, person, email)).status).toBe(403);
      const mixed = { id: other.id, userId: person.userId };
      expect((await change(person.visitor, mixed, email)).status).toBe(403);
      expect((await change(person.visitor, person, 'no address')).status).toBe(400);
      const code = await testApp.codeFor(person.emailAddress);
      await person.visitor.verify(person.id, person.userId, code);
      const claim = activation({ userId: person.userId, id: person.registrationId }, person.id);
      await person.visitor.ok('activateUser', { body: claim });
      expect((await change(person.visitor, person, email)).status).toBe(403);
      const signingIn = testApp.visitor();
      const pending = await signingIn.reachCode(demoEmail('agent'));
      const signIn = { id: pending.otpId, userId: pending.userId };
      expect((await change(signingIn, signIn, email)).status).toBe(403);
      expect(await usersWith(email)).toEqual([]);
    },
  );

  test('[D27] who only followed the link moves nobody else to an address', async () => {
    const person = await waiting();
    const link = (await testApp.inbox(person.emailAddress)).find((message) => message.link)?.link;
    const key = atob(new URL(link ?? '').searchParams.get('UID') ?? '').split('|')[0] ?? '';
    const follower = testApp.visitor();
    await follower.call('validateLink', {
      body: {
        userRegstrtnId: person.registrationId,
        userId: person.userId,
        activationKey: key,
        signUpPlatform: 1,
      },
    });
    const sent = (await follower.sendCode(person.userId, 'USER_ACTIVATION')).data;
    const claim = { id: sent?.id ?? '', userId: person.userId };
    expect((await change(follower, claim, newEmail())).status).toBe(403);
  });

  test('five changes a day', { tags: 'long' }, async () => {
    const real = await createTestApp();
    try {
      const visitor = real.visitor();
      const created = (await visitor.signUp({ emailAddress: newEmail() })).data;
      let claim = { userId: created?.userId ?? 0, id: '' };
      claim.id = (await visitor.sendCode(claim.userId, 'USER_ACTIVATION')).data?.id ?? '';
      const statuses = [];
      for (let n = 0; n < 6; n += 1) {
        const answer = await change(visitor, claim, newEmail());
        statuses.push(answer.status);
        if (answer.data) claim = { userId: answer.data.userId, id: answer.data.id };
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    } finally {
      await real.close();
    }
  });
});
