/**
 * An owner and a stranger take the steps of sign-up, sign-in, reset and activation in whatever order chance draws. The
 * stranger knows neither password nor mailbox, but the address, and every id that the owner was ever given.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestApp, PASSWORD, type Visitor } from '../test-app.ts';
import { activation } from '../visitor.ts';
import { resetPassword } from '../reset.ts';
import { closeAtEnd } from '../close-at-end.ts';

const RUNS = 12;
const MOST_STEPS = 12;
const STRANGERS_PASSWORD = 'Stranger-Walk-9';
const WRONG_CODE = '000000';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 100_000 }));

const STEPS = [
  'signUp',
  'sendActivation',
  'typeActivation',
  'activate',
  'givePassword',
  'giveWrongPassword',
  'sendCode',
  'typeCode',
  'typeWrongCode',
  'complete',
  'handOff',
  'forgot',
  'reset',
  'signOut',
  'wait',
] as const;
type Who = 'owner' | 'stranger';
type Step = { readonly who: Who; readonly step: (typeof STEPS)[number] };

/** The values that a browser has received. */
type Person = {
  readonly visitor: Visitor;
  form: { readonly userId: number; readonly id: string } | null;
  activationId: string | null;
  codeId: string | null;
  /** Compared and right, in this browser, since its last sign-out or a reset. */
  hasPassword: boolean;
  hasCode: boolean;
};

/** The steps that opened something at least once: without one of them the test would prove nothing. */
const opened = new Set<string>();

type World = {
  readonly email: string;
  readonly owner: Person;
  readonly stranger: Person;
  /** The owner's. */
  password: string;
  /** A code or link that was mailed to the address was used. */
  isProven: boolean;
  resets: number;
};

let count = 0;
async function begin(isRegistered: boolean): Promise<World> {
  const email = `order-${(count += 1)}@example.test`;
  const person = (): Person => ({
    visitor: testApp.visitor(),
    form: null,
    activationId: null,
    codeId: null,
    hasPassword: false,
    hasCode: false,
  });
  if (isRegistered) await testApp.visitor().register({ emailAddress: email });
  return {
    email,
    owner: person(),
    stranger: person(),
    password: PASSWORD,
    isProven: isRegistered,
    resets: 0,
  };
}

/** The newest code in the owner's mailbox. */
const mailed = (email: string) => testApp.codeFor(email).catch(() => WRONG_CODE);

function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

/** One step, as far as it can be taken. A missing id is taken from the other visitor. */
async function take(world: World, { who, step }: Step): Promise<void> {
  const { email, owner } = world;
  const person = world[who];
  const { visitor } = person;
  const isOwner = who === 'owner';
  const form = person.form ?? owner.form;
  switch (step) {
    case 'signUp': {
      const password = isOwner ? world.password : STRANGERS_PASSWORD;
      const { data } = await visitor.signUp({ emailAddress: email, password });
      if (data) person.form = data;
      return;
    }
    case 'sendActivation': {
      if (!form) return;
      const { data } = await visitor.sendCode(form.userId, 'USER_ACTIVATION');
      if (data) person.activationId = data.id;
      return;
    }
    case 'typeActivation': {
      const id = isOwner ? person.activationId : (owner.activationId ?? person.activationId);
      if (!form || !id) return;
      const { data } = await visitor.verify(
        id,
        form.userId,
        await codeOf(world, isOwner || id !== person.activationId),
      );
      if (data === true && isOwner) {
        opened.add('proof');
        world.isProven = true;
      }
      must(data !== true || isOwner, 'a stranger proved the address');
      return;
    }
    case 'activate': {
      const id = person.activationId ?? owner.activationId;
      if (form && id) await visitor.call('activateUser', { body: activation(form, id) });
      return;
    }
    case 'givePassword':
    case 'giveWrongPassword': {
      const isRight = isOwner && step === 'givePassword';
      const password = isRight ? world.password : STRANGERS_PASSWORD;
      const { status } = await visitor.givePassword(email, password);
      if (status !== 200) return;
      must(isRight, 'another password was right');
      Object.assign(person, { hasPassword: true, hasCode: false });
      return;
    }
    case 'sendCode': {
      const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
      const userId = user?.userId ?? form?.userId;
      if (!userId) return;
      const { data } = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
      must(data === null || person.hasPassword, 'a code was sent without a password');
      if (data) {
        person.codeId = data.id;
        person.form ??= { userId, id: '' };
      }
      return;
    }
    case 'typeCode':
    case 'typeWrongCode': {
      const id = person.codeId ?? owner.codeId;
      if (!form || !id) return;
      const { data } = await visitor.verify(
        id,
        form.userId,
        await codeOf(world, step === 'typeCode'),
      );
      must(data !== true || person.hasPassword, 'a code was right without a password');
      if (data === true) {
        opened.add('code');
        person.hasCode = true;
      }
      return;
    }
    case 'complete': {
      const { code, state } = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
      const { data } = await visitor.record({ code: code || 'made-up', state });
      if (data) visitor.state.token = data.authToken;
      return;
    }
    case 'handOff': {
      const body = { choice: null, entrance: 'portal' } as const;
      const { data } = await visitor.call('issueHandoff', { body });
      must(data === null || (person.hasPassword && person.hasCode), 'a hand-off before the code');
      if (data) opened.add('handOff');
      return;
    }
    case 'forgot':
      await visitor.call('forgotPassword', { body: { userName: email, emailID: email } });
      return;
    case 'reset': {
      const password = `Evening-Light-${(world.resets += 1)}`;
      if (!isOwner) return;
      const isDone = await resetPassword(testApp, email, password).then(
        () => true,
        () => false,
      );
      if (!isDone) return;
      opened.add('reset');
      world.password = password;
      for (const each of [owner, world.stranger]) {
        Object.assign(each, { hasPassword: false, hasCode: false });
      }
      return;
    }
    case 'signOut': {
      const params = { userId: '0', appState: '-', loggedInId: '-', roleId: '0' };
      await visitor.call('logOut', { params });
      if (visitor.state.token === null) return;
      Object.assign(person, { hasPassword: false, hasCode: false });
      visitor.state.token = null;
      return;
    }
    case 'wait':
      testApp.clock.advance(130);
  }
}

const codeOf = async ({ email }: World, isRight: boolean) => (isRight ? mailed(email) : WRONG_CODE);

/** The fields of the account that must not change before the address is proven. */
const accountOf = ({ email }: World) =>
  testApp.db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .select(['status', 'password_hash', 'first_name', 'mobile', 'email_proven_at', 'role_id'])
    .where('email_canonical', '=', email)
    .orderBy('role_id')
    .execute();

async function expectNobodyInside(world: World): Promise<void> {
  const people = ['owner', 'stranger'] as const;
  const states = await Promise.all(people.map((who) => world[who].visitor.ok('getVisit', {})));
  for (const [at, who] of people.entries()) {
    const { hasPassword, hasCode } = world[who];
    const { login, signIn } = states[at] ?? { login: null, signIn: null };
    const stage = signIn?.stage ?? 'password';
    const isInside = login !== null || stage === 'verified' || stage === 'complete';
    expect([who, isInside && !(hasPassword && hasCode)]).toEqual([who, false]);
    expect([who, stage === 'otp' && !hasPassword]).toEqual([who, false]);
  }
}

/** Steps that follow each other on a screen, so that chance gets far; and each by itself, so that it gets lost. */
const runs: readonly (readonly Step['step'][])[] = [
  ...STEPS.map((step) => [step]),
  ['signUp', 'sendActivation', 'typeActivation', 'activate'],
  ['givePassword', 'sendCode', 'typeCode', 'complete'],
  ['givePassword', 'sendCode', 'typeCode', 'complete'],
  ['typeCode', 'complete', 'handOff'],
  ['reset', 'complete', 'handOff'],
];
const steps = fc
  .array(fc.tuple(fc.constantFrom<Who>('owner', 'owner', 'stranger'), fc.constantFrom(...runs)), {
    minLength: 1,
    maxLength: MOST_STEPS,
  })
  .map((drawn) =>
    drawn.flatMap(([who, run]) => run.map((step) => ({ who, step }))).slice(0, MOST_STEPS),
  );

const by = (who: Who, ...taken: readonly Step['step'][]): Step[] =>
  taken.map((step) => ({ who, step }));
const SIGN_IN = ['givePassword', 'sendCode', 'typeCode', 'complete', 'handOff'] as const;
const SIGN_UP = ['signUp', 'sendActivation', 'typeActivation', 'activate'] as const;

/** Orders that chance would seldom draw. */
const KNOWN: [boolean, Step[]][] = [
  [true, [...by('owner', ...SIGN_IN, 'reset', 'handOff', 'complete', 'handOff')]],
  [true, [...by('owner', 'givePassword', 'sendCode'), ...by('stranger', 'typeCode', 'complete')]],
  [
    true,
    [...by('stranger', ...SIGN_UP), ...by('owner', ...SIGN_IN), ...by('stranger', 'complete')],
  ],
  [false, [...by('stranger', ...SIGN_UP), ...by('owner', ...SIGN_UP), ...by('owner', ...SIGN_IN)]],
  [
    false,
    [...by('owner', 'signUp', 'sendActivation'), ...by('stranger', ...SIGN_UP, 'givePassword')],
  ],
];

test('[D1] [D14] [D27] [SES-02] no order of steps opens a session without password and code, or changes an account without proof', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, async (isRegistered, taken) => {
      const world = await begin(isRegistered);
      const before = await accountOf(world);
      for (const step of taken) {
        await take(world, step);
        const [now] = await Promise.all([accountOf(world), expectNobodyInside(world)]);
        const isOpen = !isRegistered && !world.isProven;
        expect(isOpen && now.some(({ status }) => status === 'active')).toBe(false);
        // Of an account that is there nothing changes but by a reset.
        const kept = isRegistered && world.password === PASSWORD ? now : before;
        expect(kept).toEqual(before);
      }
      const { status } = await testApp.visitor().authenticate(world.email, STRANGERS_PASSWORD);
      expect(status).not.toBe(200);
    }),
    { numRuns: RUNS, examples: KNOWN },
  );
  expect(opened).toEqual(new Set(['proof', 'code', 'handOff', 'reset']));
});
