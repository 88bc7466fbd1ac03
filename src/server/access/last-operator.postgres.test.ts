import { expect, test } from 'vitest';
import type { ConsoleGrant } from '#domain/help-desk/console-rights.ts';
import { createTestApp } from '../testing/test-app.ts';
import { insertVisit } from '../http/visit-cookie.ts';
import { insertAttempt, newAttempt } from '../sign-in/move-attempts.ts';
import { closeAccount } from '../people/close-account.ts';
import { addAccount, changeRoles, setSuspended } from '../people/people.ts';
import { erasePerson } from '../people/privacy/erase.ts';
import { setPerson } from '../people/set-person.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 100 }));

const ADMIN = 4;
let count = 0;
async function operator(): Promise<number> {
  const account = await addAccount(adminContextOf(testApp), {
    email: `operator-${(count += 1)}@account.test`,
    firstName: 'Nora',
    lastName: 'Operator',
    phone: '',
    roleIds: [ADMIN],
    subtenantId: 742,
  });
  const id = account?.id ?? 0;
  await testApp.db.updateTable('users').set({ password_hash: 'x' }).where('id', '=', id).execute();
  return id;
}

/** A session of now. */
async function sessionOf(userId: number) {
  const { db, clock } = testApp;
  const now = clock.now();
  const { visit } = await insertVisit(db, now);
  const attempt = newAttempt({ visitId: visit.id, entrance: 'portal' }, now);
  const known = { user_id: userId, stage: 'complete', verified_at: now } as const;
  return {
    userId,
    signInId: await insertAttempt(db, { ...attempt, ...known, amr: ['pwd', 'otp'] }),
  };
}

test('[CON-13] S55: of two operators whose accounts end at once one stays, by each pair of acts', async () => {
  const context = adminContextOf(testApp);
  const acts = {
    close: async (id: number) => closeAccount(context, await sessionOf(id)),
    suspend: (id: number) => setSuspended(context, id, true),
    erase: (id: number) => erasePerson(context, id),
    takeRole: (id: number) => changeRoles(context, id, { give: [], take: [ADMIN] }),
    move: (id: number) => setPerson(context, id, { subtenantId: 3 }),
  };
  const grants = testApp.config.console as ConsoleGrant[];
  grants.splice(0, grants.length, { role: 'operator', subtenantId: 742, roleId: ADMIN });
  await testApp.db.deleteFrom('user_roles').where('role_id', '=', ADMIN).execute();
  const names = Object.keys(acts) as (keyof typeof acts)[];
  const seen = [];
  for (const one of names) {
    for (const other of names) {
      const pair = [await operator(), await operator()] as const;
      const ended = await Promise.allSettled([acts[one](pair[0]), acts[other](pair[1])]);
      const refused = ended.flatMap((each) =>
        each.status === 'rejected' ? [String((each.reason as { code?: string }).code)] : [],
      );
      seen.push([one, other, refused.join()]);
      await testApp.db.deleteFrom('user_roles').where('user_id', 'in', pair).execute();
    }
  }
  expect(seen.filter(([, , refused]) => refused !== 'LAST_OPERATOR')).toEqual([]);
}, 120_000);
