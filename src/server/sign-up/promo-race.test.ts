import { expect, test } from 'vitest';
import { subjectOfForm } from '../accounts/registration-store.ts';
import { createActivation } from './activation.ts';
import { createAudit } from '../audit/audit.ts';
import { createTestContext } from '../testing/test-app.ts';
import { createPromoCodes } from './promo-codes.ts';

const FIFTY = Array.from({ length: 50 }, (_, index) => index);
const CAP = 10;

/** On PGlite, with its one connection, only the logic is tried; PostgreSQL can lose this race. */
test('[SUP-14] [D23] fifty activations at once, of two instances, never use a code more often than its cap', async () => {
  const context = await createTestContext();
  const { database, clock, db } = context;
  const other = await database.second();
  try {
    const now = clock.now();
    const person = { first_name: 'P', last_name: 'P', dial_code: '+1', mobile: '5550142290' };
    const email = (n: number) => `promo-${n}@example.test`;
    await db
      .insertInto('subtenants')
      .values({ id: 3, name: 'Academy', logo_path: '/l.svg', accent: null })
      .execute();
    await db
      .insertInto('promo_codes')
      .values({ code: 'CAPPED', valid_until: null, max_uses: CAP })
      .execute();
    const visits = FIFTY.map((n) => ({
      id: crypto.randomUUID(),
      token_hash: `t${n}`,
      subtenant_id: 3,
      created_at: now,
      seen_at: now,
    }));
    await db.insertInto('visits').values(visits).execute();
    const visitId = (n: number) => visits[n]?.id ?? '';
    await db
      .insertInto('users')
      .values(
        FIFTY.map((n) => ({
          id: 100 + n,
          ...person,
          email: email(n),
          email_canonical: email(n),
          password_hash: null,
          status: 'pending' as const,
          sign_up_platform: 1,
          subtenant_id: 3,
          created_at: now,
          activated_at: null,
          trial_ends_at: null,
        })),
      )
      .execute();
    await db
      .insertInto('registrations')
      .values(
        FIFTY.map((n) => ({
          id: `r${n}`,
          visit_id: visitId(n),
          user_id: 100 + n,
          ...person,
          email: email(n),
          password_hash: 'hash',
          role_id: 18,
          subtenant_id: 3,
          promo_code: 'CAPPED',
          mode: 'VERIFY_OTP',
          created_at: now,
          completed_at: null,
        })),
      )
      .execute();
    await db
      .insertInto('otp_codes')
      .values(
        FIFTY.map((n) => ({
          id: `o${n}`,
          visit_id: visitId(n),
          user_id: 100 + n,
          registration_id: `r${n}`,
          sign_in_id: null,
          type: 'USER_ACTIVATION',
          subject: subjectOfForm({ ...person, email: email(n), id: `r${n}` }),
          medium: 4,
          code_hmac: '',
          sent_at: now,
          expires_at: now,
          verified_at: now,
          closed_at: null,
        })),
      )
      .execute();

    const instance = (source: typeof db) =>
      createActivation(
        { ...context, db: source, audit: createAudit({ db: source, clock }) },
        {
          leads: { capture: async () => undefined },
          hashing: { hash: async () => 'hash' },
          isGuessable: async () => false,
          promoCodes: createPromoCodes(context),
          providerAccounts: { hasPassword: async () => false, activated: async () => undefined },
          addRole: async () => undefined,
          endAccess: async () => undefined,
          endProviderSessions: async () => undefined,
          passwordCheck: { resetFailures: async () => undefined },
        },
      );
    const [one, two] = [instance(db), instance(other.db)];
    await Promise.all(
      FIFTY.map((n) =>
        (n % 2 ? one : two).activate(
          { userId: 100 + n, registrationId: `r${n}`, otpId: `o${n}`, password: null },
          { id: visitId(n), subtenantId: 3 },
          '::1',
        ),
      ),
    );
    const promo = await db.selectFrom('promo_codes').select('used').executeTakeFirstOrThrow();
    expect(promo.used).toBe(CAP);
    const kinds = await db.selectFrom('audit_events').orderBy('id').select('kind').execute();
    // Nobody who proved an address is kept out for want of a code.
    expect(kinds.filter(({ kind }) => kind === 'promo.usedUp')).toHaveLength(50 - CAP);
    expect(kinds.filter(({ kind }) => kind === 'account.activated')).toHaveLength(50);
  } finally {
    await other.close();
    await database.close();
  }
});
