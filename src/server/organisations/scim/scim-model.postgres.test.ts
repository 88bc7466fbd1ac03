/** [FED-10] Link, unlink, staff and directory in any order: the account against a small model of the rules. */

import { expect, test } from 'vitest';
import { createTestApp, PASSWORD } from '../../testing/test-app.ts';
import { findAccount } from '../../accounts/account-store.ts';
import { endLink, linkOf, waysOf } from '../../accounts/organisation-links.ts';
import { mailReset, setSuspended } from '../../people/people.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { addRosewood } from '../../testing/organisation.ts';
import { findOrganisation } from '../organisation-store.ts';
import { createScimUsers } from './scim-users.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));
const { db } = testApp;
await addRosewood(testApp);
const found = await findOrganisation(db, 'rosewood-staff');
if (!found) throw new Error('no organization');
const organisation = found;
const context = () => adminContextOf(testApp);
const users = () => createScimUsers(context(), organisation);

/** What the rules say of one person. */
type Model = {
  /** The directory's id: none before, after a deletion, and once unlinked. */
  isThere: boolean;
  isLinked: boolean;
  isOffThere: boolean;
  isOffByStaff: boolean;
};

const STEPS = ['create', 'off', 'on', 'delete', 'suspend', 'resume', 'unlink'] as const;
type Step = (typeof STEPS)[number];

/** Returns what a step makes of the model; whether it is refused is told by the model staying as it is. */
function after(model: Model, step: Step): Model {
  const { isThere, isLinked, isOffThere, isOffByStaff } = model;
  const isOff = isOffThere || isOffByStaff;
  switch (step) {
    case 'create':
      // Only a deleted person comes back.
      return isLinked && !isThere ? { ...model, isThere: true, isOffThere: false } : model;
    case 'off':
      return isThere ? { ...model, isOffThere: true } : model;
    case 'on':
      return isThere ? { ...model, isOffThere: false } : model;
    case 'delete':
      return isThere ? { ...model, isThere: false, isOffThere: true } : model;
    case 'suspend':
      return isOff ? model : { ...model, isOffByStaff: true };
    case 'resume':
      return isOffThere ? model : { ...model, isOffByStaff: false };
    case 'unlink':
      // The account stays off until staff resume it.
      return isLinked
        ? { isThere: false, isLinked: false, isOffThere: false, isOffByStaff: isOff }
        : model;
  }
}

/** A sequence that is the same at each run (xorshift). */
function createDice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.abs(state) % sides;
  };
}

test.each(Array.from({ length: 12 }, (_, n) => n + 1))('sequence %i', async (seed) => {
  const dice = createDice(seed * 7919);
  const email = `model-${seed}@rosewood.example`;
  const body = { userName: email, externalId: crypto.randomUUID(), active: true };
  let { id } = (await users().create(body)) as { id: string };
  const { user_id: userId } = await db
    .selectFrom('organisation_links')
    .select('user_id')
    .where('scim_id', '=', id)
    .executeTakeFirstOrThrow();
  let model: Model = { isThere: true, isLinked: true, isOffThere: false, isOffByStaff: false };
  const acts: Readonly<Record<Step, () => Promise<unknown>>> = {
    create: async () => void ({ id } = (await users().create(body)) as { id: string }),
    off: () => users().replace(id, { active: false }),
    on: () => users().patch(id, { Operations: [{ op: 'replace', value: { active: true } }] }),
    delete: () => users().remove(id),
    suspend: () => setSuspended(context(), userId, true),
    resume: () => setSuspended(context(), userId, false),
    unlink: () => endLink(db, userId, testApp.clock.now()),
  };
  for (let turn = 0; turn < 25; turn += 1) {
    const step = STEPS[dice(STEPS.length)] ?? 'on';
    model = after(model, step);
    const refusal = await acts[step]().then(
      () => 'done',
      (error: { readonly name: string }) => error.name,
    );
    expect(['done', 'ScimError', 'AppError']).toContain(refusal);
    const account = await findAccount(db, userId);
    const link = await linkOf(db, userId);
    const isKept = (await waysOf(db, userId)).keptBy !== null;
    expect({
      step,
      turn,
      isActive: account?.status === 'active',
      isLinked: link !== undefined,
      isThere: Boolean(link?.scim_id),
      isOffThere: Boolean(link?.off_at),
      isKept,
    }).toEqual({
      step,
      turn,
      isActive: !model.isOffThere && !model.isOffByStaff,
      isLinked: model.isLinked,
      isThere: model.isThere,
      isOffThere: model.isOffThere,
      isKept: model.isLinked,
    });
    // Nothing ever gave the person a way in of their own.
    expect(account?.password_hash).toBeNull();
    const reset =
      account && isKept
        ? mailReset(context(), account)
        : Promise.reject({ code: 'KEPT_BY_ORGANISATION' });
    await expect(reset).rejects.toMatchObject({ code: 'KEPT_BY_ORGANISATION' });
  }
});

test('[FED-10] a directory that switches off ends session, hosted session and hand-off at once', async () => {
  const email = 'leaver@rosewood.example';
  const visitor = testApp.visitor();
  const { userId } = await visitor.register({ emailAddress: email });
  await visitor.signIn(email, PASSWORD);
  await db
    .insertInto('organisation_links')
    .values({
      issuer: organisation.issuer,
      subject: 'leaver',
      organisation_id: organisation.id,
      user_id: userId,
      shown_name: 'Leaver',
      made_by: 'scim',
      made_at: testApp.clock.now(),
      scim_id: crypto.randomUUID(),
    })
    .execute();
  const issue = () =>
    visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } as const });
  expect((await issue()).status).toBe(200);
  const { scim_id: id } = (await linkOf(db, userId)) ?? {};
  await users().replace(id ?? '', { active: false });
  expect((await issue()).errorFlag).toBe('NO_SESSION');
  const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
  expect(silent.error).toBe('login_required');
});
