/** [KEY-18] Each module, by each way to sign in, in each role: what opens, and what is asked first. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODULE_IDS, type RoleId, ROLES } from '#domain/people/roles.ts';
import { routableRoles } from '#domain/people/role-routing.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import { demoEmail, DEMO_PASSWORD } from '../demo/seed.ts';
import { createDevice } from '../testing/authenticator.ts';
import { createTestApp, createTestContext, type Visitor } from '../testing/test-app.ts';
import { createHandOff } from './hand-off.ts';
import { createHandOffKeys } from './keys.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 100 }));

const PASSWORD_AND_CODE = ['pwd', 'otp'];
const KEY = ['pop', 'user', 'mfa'];
const KEY_AND_CODE = [...KEY, 'otp'];
const ORGANISATION = ['fed'];
const ORGANISATION_AND_CODE = ['fed', 'otp'];

/** Staff roles and role 20 carry the password, where the module takes it (RED-12). */
const SEALED_ROLES: readonly RoleId[] = [3, 13, 14, 15, 20];
const ROUTED = routableRoles(Object.keys(ROLES).map(Number));

function modulesThat(accepts: ModuleConfig['accepts'], isSealed: boolean) {
  return MODULE_IDS.map((id): ModuleConfig => {
    const rootUrl = `https://${id}.test/`;
    const of = { id, rootUrl, loginUrl: rootUrl, secretHash: null, signOutUrl: null };
    return { ...of, accepts, sealedTo: isSealed ? {} : null };
  });
}

describe('[KEY-18] [FED-03] modules x ways x roles', () => {
  let issue: (
    roleId: RoleId,
    amr: readonly string[],
    modules: readonly ModuleConfig[],
    isAsked?: boolean,
  ) => Promise<string>;
  let end: () => Promise<void>;
  beforeAll(async () => {
    const context = await createTestContext();
    const { db, clock } = testApp;
    await testApp.visitor().signIn('member');
    const { id: signInId, user_id: userId } = await db
      .selectFrom('sign_ins')
      .select(['id', 'user_id'])
      .where('stage', '=', 'complete')
      .executeTakeFirstOrThrow();
    const session = { userId, signInId, appState: 'x', visitId: null } as never;
    issue = async (roleId, amr, modules, isAsked = false) => {
      await db.deleteFrom('handoffs').execute();
      const roles = [{ roleId, roleKey: '' }];
      const signedIn = { userId, subtenantId: 742, roles, amr, authTime: clock.now() } as never;
      const handOff = createHandOff(
        { ...context, db, clock },
        {
          keys: createHandOffKeys(() => testApp.app.keys.current('handoff')),
          modules,
          signIns: { signedInOf: () => signedIn, lockSignedIn: async () => signedIn },
        },
      );
      const choice = ROLES[roleId].isStaff ? ({ kind: 'role', roleId } as const) : null;
      const input = { choice, entrance: 'portal', closedModules: [], isAsked } as const;
      return handOff.issue(session, input).then(
        ({ credentialFor }) => (credentialFor === null ? 'opens' : 'opens with the password'),
        (error: { code: string }) => error.code,
      );
    };
    end = () => context.database.close();
  });
  afterAll(() => end());

  test.each(ROUTED)('role %i', async (roleId) => {
    const isSealedRole = SEALED_ROLES.includes(roleId);
    const carried = isSealedRole ? 'opens with the password' : 'opens';
    for (const isSealed of [false, true]) {
      const old = modulesThat(['otp'], isSealed);
      const open = modulesThat(['otp', 'mfa'], isSealed);
      const all = modulesThat(['otp', 'mfa', 'fed'], isSealed);
      const asked = isSealed && isSealedRole ? 'PASSWORD_WANTED' : 'opens';
      const withIt = isSealed ? carried : 'opens';
      expect([
        await issue(roleId, PASSWORD_AND_CODE, old),
        await issue(roleId, PASSWORD_AND_CODE, open),
        await issue(roleId, KEY, old),
        await issue(roleId, KEY, old, true),
        await issue(roleId, KEY, open),
        await issue(roleId, KEY, open, true),
        await issue(roleId, KEY_AND_CODE, old),
        await issue(roleId, KEY_AND_CODE, old, true),
      ]).toEqual([withIt, withIt, 'OTP_REQUIRED', 'OTP_REQUIRED', asked, withIt, asked, withIt]);
      expect([
        await issue(roleId, ORGANISATION, old),
        await issue(roleId, ORGANISATION, open, true),
        await issue(roleId, ORGANISATION, all),
        await issue(roleId, ORGANISATION, all, true),
        await issue(roleId, ORGANISATION_AND_CODE, old),
        await issue(roleId, ORGANISATION_AND_CODE, old, true),
      ]).toEqual(['OTP_REQUIRED', 'OTP_REQUIRED', asked, withIt, asked, withIt]);
    }
  });
});

describe('[KEY-18] the question for the password', () => {
  /** A person of the special programs, who came by a passkey; the demo's module takes the password's copy. */
  async function byKey(): Promise<Visitor> {
    const owner = testApp.visitor();
    await owner.signIn('special');
    const device = createDevice(testApp.url);
    const options = await owner.ok('keyCreation', { body: { isByItself: false } });
    await owner.ok('saveKey', { body: { answer: device.create(options) } });
    const visitor = testApp.visitor();
    const answer = device.use(await visitor.ok('keyRequest', { body: { use: 'signIn' } }));
    await visitor.ok('signInWithKey', { body: { answer, entrance: 'portal' } });
    const begun = await visitor.begin(false);
    const silent = await visitor.authorize(begun.authorizeUrl);
    const login = await visitor.ok('recordLogin', {
      body: { authId: silent.code ?? '', appState: silent.state ?? '' },
    });
    visitor.state.token = login.authToken;
    return visitor;
  }

  const handOff = { choice: null, entrance: 'portal' } as const;

  test('counts a wrong one as a try, gives the keys for a right one, and can be passed over', async () => {
    const visitor = await byKey();
    const refused = await visitor.call('issueHandoff', { body: handOff });
    expect(refused.errorFlag).toBe('PASSWORD_WANTED');
    expect(await visitor.ok('checkPassword', { body: { password: 'Wrong-Pass-1' } })).toBeNull();
    const [wrong] = await testApp.db
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', '=', 'signIn.wrongPassword')
      .execute();
    expect(wrong).toBeDefined();
    const right = await visitor.ok('checkPassword', { body: { password: DEMO_PASSWORD } });
    expect(right?.sealedModules.map(({ module }) => module)).toContain('special');
    const body = { ...handOff, isAsked: true };
    expect(await visitor.ok('issueHandoff', { body })).toMatchObject({ credentialFor: 'special' });
  });

  test('a code joins the sign-in, where a module takes no key', async () => {
    const visitor = await byKey();
    const { login } = await visitor.ok('getVisit', {});
    const userId = login?.loggedInUserId ?? 0;
    const { id } = await visitor.ok('sendOtp', {
      body: { createdBy: userId, otpSendMedium: 4, otpType: 'TWOFACTORAUTHENTICATION' },
    });
    const [mail] = await testApp.inbox(demoEmail('special'));
    await visitor.ok('verifyOtp', { body: { id, createdBy: userId, otp: mail?.code ?? '' } });
    const { amr } = await testApp.db
      .selectFrom('sign_ins')
      .select('amr')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    expect(amr).toEqual([...KEY, 'otp']);
  });

  test('is as limited as the sign-in', async () => {
    const strict = await createTestApp();
    const visitor = strict.visitor();
    await visitor.signIn('member');
    const answers: (string | null)[] = [];
    for (let tries = 0; tries < 30; tries += 1) {
      const body = { password: `Wrong-Pass-${tries}` };
      answers.push((await visitor.call('checkPassword', { body })).errorFlag);
    }
    expect(answers).toContain('TOO_MANY');
    await strict.close();
  });
});
