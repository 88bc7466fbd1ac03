/** A trusted helper: how a member names one, and who may say yes. */

import { describe, expect, test } from 'vitest';
import { createHelperPeople, next, PEOPLE } from '../testing/helper-people.ts';
import { createTestAppWithPages, PASSWORD } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const testApp = closeAtEnd(await createTestAppWithPages({}));

const { someone, again, dataIn, send, name, helpersOf, peopleOf, act, subjects, eventsOf } =
  createHelperPeople(() => testApp);

describe('[HLP-10] naming a helper', () => {
  test('says what is wrong with the form, and keeps what was typed', async () => {
    const member = await someone('Ruth');
    const own = await dataIn(await name(member, member.email.toUpperCase(), ''));
    expect(own.problems).toMatchObject({
      helperEmail: { message: 'helperIsYou' },
      relation: { message: 'relationRequired' },
    });
    expect(own.typed.helperEmail).toBe(member.email.toUpperCase());
    expect(await helpersOf(member)).toEqual([]);
  });

  test(
    'needs a code of the last ten minutes: a stolen session adds nobody',
    { tags: 'long' },
    async () => {
      const member = await someone('Ruth');
      testApp.clock.advance(11 * MINUTE);
      expect((await name(member, 'thief@helper.test')).status).toBe(303);
      expect(await helpersOf(member)).toEqual([]);
      expect(await subjects({ email: 'thief@helper.test' })).toEqual([]);
    },
  );

  test('three at a time, each address once', { tags: 'long' }, async () => {
    const member = await someone('Ruth');
    for (const each of ['a', 'b', 'c']) await name(member, `${each}@full.test`);
    const again = await dataIn(await name(member, 'A@full.test'));
    expect(again.problems.helperEmail?.message).toBe('helperIsThere');
    const fourth = await dataIn(await name(member, 'd@full.test'));
    expect(fourth.problems.helperEmail?.message).toBe('helpersFull');
    const sixth = await dataIn(await name(member, 'e@full.test'));
    expect(sixth.problems.helperEmail?.message).toBe('tooMany');
  });

  test('of six forms at once no more than three count', async () => {
    const member = await someone('Ruth');
    const emails = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => `${each}@race.test`);
    await Promise.all(emails.map((email) => name(member, email)));
    expect(await helpersOf(member)).toHaveLength(3);
  });

  test(
    'is told to the member, and one mailbox gets three such mails a day at most',
    { tags: 'long' },
    async () => {
      const email = 'asked-often@helper.test';
      for (const _ of [1, 2, 3, 4]) {
        const member = await someone('Ruth');
        await name(member, email);
        expect((await helpersOf(member)).map(({ state }) => state)).toEqual(['asked']);
        expect(await subjects(member)).toContain('You asked somebody to help you');
      }
      expect(await subjects({ email })).toHaveLength(3);
    },
  );
});

describe('[HLP-11] the one who was named', () => {
  test('page and mail are the same, whether the address has an account or not', async () => {
    const member = await someone('Ruth');
    const known = await someone('Elena');
    const unknown = 'elena-without@helper.test';
    await name(member, known.email);
    await name(member, unknown);
    const [one, other] = await helpersOf(member);
    expect({ ...one, id: '', name: '' }).toEqual({ ...other, id: '', name: '' });
    expect([one?.name, other?.name]).toEqual([known.email, unknown]);
    const [mail] = await testApp.inbox(known.email);
    const [same] = await testApp.inbox(unknown);
    expect(mail?.subject).toBe('Rosewood Senior Living: A person asks for your help');
    expect([mail?.subject, mail?.text]).toEqual([same?.subject, same?.text]);
    expect(mail?.text).not.toContain(member.email);
  });

  test('says yes by a code of their own, and counts from then on', { tags: 'long' }, async () => {
    const [member, helper] = [await someone('Ruth'), await someone('Elena')];
    await name(member, helper.email);
    const [asked] = await peopleOf(helper);
    expect(asked).toMatchObject({ name: 'Ruth Castellanos', isHelping: false, canSignIn: null });
    const id = asked?.id ?? '';
    testApp.clock.advance(11 * MINUTE);
    await send(helper, PEOPLE, { help: id, do: 'accept' });
    expect((await peopleOf(helper))[0]?.isHelping).toBe(false);
    // An ask counts for nothing.
    expect(await act(helper, id, 'reset')).toBe('over');
    await send(helper, PEOPLE, { step: 'send' });
    const code = await testApp.codeFor(helper.email);
    await send(helper, PEOPLE, { step: 'check', code });
    expect(await act(helper, id, 'accept')).toBe('accepted');
    expect((await peopleOf(helper))[0]?.isHelping).toBe(true);
    expect(await helpersOf(member)).toMatchObject([
      { name: 'Elena Castellanos', relation: 'my daughter', state: 'helping' },
    ]);
    expect((await subjects(member))[0]).toContain('You have a helper now');
    expect(await eventsOf(member, 'helper.accepted')).toMatchObject([{ actor: `helper:${id}` }]);
  });

  test(
    'a person without an account signs up with that address, and says yes',
    { tags: 'long' },
    async () => {
      const member = await someone('Ruth');
      const email = `later-${next()}@helper.test`;
      await name(member, email);
      const { userId } = await testApp
        .visitor()
        .register({ emailAddress: email, userName: email, firstName: 'Elena' });
      const visitor = testApp.visitor();
      await visitor.signIn(email, PASSWORD);
      const helper = { email, userId, visitor };
      const [asked] = await peopleOf(helper);
      expect(await act(helper, asked?.id ?? '', 'accept')).toBe('accepted');
    },
  );

  test(
    'another account, or one that never proved the mailbox, cannot say yes',
    { tags: 'long' },
    async () => {
      const [member, helper] = [await someone('Ruth'), await someone('Elena')];
      const thief = await someone('Theo');
      await name(member, helper.email);
      const id = (await peopleOf(helper))[0]?.id ?? '';
      expect(await peopleOf(thief)).toEqual([]);
      expect(await act(thief, id, 'accept')).toBe('over');
      expect(await act(member, id, 'accept')).toBe('over');
      await testApp.db
        .updateTable('users')
        .set({ email_proven_at: null })
        .where('id', '=', helper.userId)
        .execute();
      expect(await peopleOf(helper)).toEqual([]);
      expect(await act(helper, id, 'accept')).toBe('over');
      expect((await helpersOf(member))[0]?.state).toBe('asked');
    },
  );

  test(
    'a member who moves to the named address is not her own helper',
    { tags: 'long' },
    async () => {
      const member = await someone('Ruth');
      const email = `own-${next()}@helper.test`;
      await name(member, email);
      const id = (await helpersOf(member))[0]?.id ?? '';
      await testApp.db
        .updateTable('users')
        .set({ email, email_canonical: email })
        .where('id', '=', member.userId)
        .execute();
      expect(await peopleOf(member)).toEqual([]);
      expect(await act(member, id, 'accept')).toBe('over');
    },
  );

  test(
    'after 14 days the ask is over, and the same address can be asked again',
    { tags: 'long' },
    async () => {
      const [member, helper] = [await someone('Ruth'), await someone('Elena')];
      await name(member, helper.email);
      const id = (await peopleOf(helper))[0]?.id ?? '';
      testApp.clock.advance(14 * DAY);
      const [later, elena] = [await again(member), await again(helper)];
      expect((await helpersOf(later))[0]?.state).toBe('ended');
      expect(await act(elena, id, 'accept')).toBe('over');
      await name(later, helper.email);
      expect((await helpersOf(later)).map(({ state }) => state)).toEqual(['ended', 'asked']);
    },
  );
});
