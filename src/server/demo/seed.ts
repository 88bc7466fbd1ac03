import { TRIAL_MS } from '#domain/proofs/activation.ts';
import { type Clock, later } from '../core/clock.ts';
import type { RoleId } from '#domain/people/roles.ts';
import { insertAccounts } from '../accounts/account-store.ts';
import { insertRegistration } from '../accounts/registration-store.ts';
import type { Db } from '../db/database.ts';
import type { UserStatus } from '../db/schema.ts';

/** Password of every demo account (DEM-02). */
export const DEMO_PASSWORD = 'Porchlight-1';
export const DEMO_DOMAIN = 'demo.porchlight.test';

type DemoAccount = {
  readonly name: string;
  readonly person: readonly [first: string, last: string];
  readonly roles: readonly RoleId[];
  /** Pending: signed up, never verified. Inactive: switched off by the operator. */
  /** The house whose administrator it is. */
  readonly house?: 742 | 900;
  readonly status?: Exclude<UserStatus, 'active'>;
};

/** DEM-02, one row an account; identical on every first start. */
// prettier-ignore
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { name: 'member',         person: ['Margaret', 'Okafor'],  roles: [1] },
  { name: 'top',            person: ['Walter', 'Brandt'],    roles: [9] },
  { name: 'staff',          person: ['Dana', 'Whitfield'],   roles: [3] },
  { name: 'legal',          person: ['Priya', 'Raman'],      roles: [13] },
  { name: 'admin',          person: ['Elena', 'Sorensen'],   roles: [4] },
  { name: 'counter',        person: ['Marcus', 'Bell'],      roles: [6] },
  { name: 'mobile-counter', person: ['Ines', 'Duarte'],      roles: [16] },
  { name: 'intake',         person: ['Tom', 'Achterberg'],   roles: [21] },
  { name: 'agent',          person: ['Grace', 'Mwangi'],     roles: [5] },
  { name: 'partner',        person: ['Noah', 'Feldman'],     roles: [17] },
  { name: 'academy',        person: ['Lucille', 'Tran'],     roles: [18] },
  { name: 'special',        person: ['Henry', 'Castellano'], roles: [20] },
  { name: 'multi',          person: ['Joan', 'Petrov'],      roles: [1, 4, 6, 16] },
  { name: 'member-agent',   person: ['Samuel', 'Adeyemi'],   roles: [9, 5] },
  { name: 'everything',     person: ['Olive', 'Nakamura'],   roles: [3, 4, 6, 9, 16, 17, 20] },
  { name: 'excluded',       person: ['Ruth', 'Lindqvist'],   roles: [2, 7] },
  { name: 'inactive',       person: ['Albert', 'Moreau'],    roles: [1], status: 'pending' },
  { name: 'suspended',      person: ['Edith', 'Kowalski'],   roles: [1], status: 'inactive' },
  { name: 'house',          person: ['Ana', 'Ruiz'],         roles: [3], house: 742 },
  { name: 'harbor',         person: ['Tom', 'Reyes'],        roles: [3], house: 900 },
];

// prettier-ignore
export const DEMO_SUBTENANTS = [
  { id: 742, name: 'Rosewood Senior Living', logo_path: '/logos/742.svg', accent: null },
  { id: 3,   name: 'Porchlight Academy',     logo_path: '/logos/3.svg',   accent: '#1F5FA8' },
  { id: 900, name: 'Harbor Point Care',      logo_path: '/logos/900.svg', accent: '#8A3B12' },
];

const ACTIVE: UserStatus = 'active';
const FIRST_DEMO_ID = 4_000_000_001;

export const demoEmail = (name: string) => `${name}@${DEMO_DOMAIN}`;

/**
 * Fills an empty demo database; a second start changes nothing.
 * @returns the hash of the demo's password, `null` when the database was filled before
 */
export async function seedDemo(
  db: Db,
  clock: Clock,
  hashPassword: (password: string) => Promise<string>,
): Promise<string | null> {
  const seeded = await db.selectFrom('subtenants').select('id').executeTakeFirst();
  if (seeded) return null;
  const now = clock.now();
  // One for all: seventeen at once would overrun the queue for hashes on a slow machine, and the start would fail.
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  const users = DEMO_ACCOUNTS.map(({ name, person, roles, house, status = ACTIVE }, index) => ({
    id: FIRST_DEMO_ID + index,
    email: demoEmail(name),
    first_name: person[0],
    last_name: person[1],
    dial_code: '+1',
    mobile: `55501${String(index + 100).padStart(5, '0')}`,
    password_hash: status === 'pending' ? null : passwordHash,
    status,
    subtenant_id: house ?? (roles.includes(18) ? 3 : 742),
    created_at: now,
    activated_at: status === 'pending' ? null : now,
    trial_ends_at: roles.includes(18) ? later(now, TRIAL_MS) : null,
  }));
  const userRoles = DEMO_ACCOUNTS.flatMap(({ roles }, index) =>
    // Old enough for two of the staff to count as two (HOU-05).
    roles.map((role_id) => ({ user_id: FIRST_DEMO_ID + index, role_id, given_at: null })),
  );
  return db.transaction().execute(async (transaction) => {
    const made = await transaction
      .insertInto('subtenants')
      .values(DEMO_SUBTENANTS)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    // Of two instances at their first start one waits here until the other one is done.
    if (made.length === 0) return null;
    // They have been here before: nothing about them is news.
    const proven = { email_proven_at: now, phone_proven_at: now, first_signed_in_at: now };
    await insertAccounts(
      transaction,
      users.map((user) => ({ ...user, ...(user.status !== 'pending' && proven) })),
    );
    await transaction.insertInto('user_roles').values(userRoles).execute();
    await transaction
      .insertInto('house_administrators')
      .values(
        DEMO_ACCOUNTS.flatMap(({ house }, index) =>
          house === undefined
            ? []
            : {
                user_id: FIRST_DEMO_ID + index,
                subtenant_id: house,
                given_by: null,
                given_at: now,
              },
        ),
      )
      .execute();
    // Who never finished has a form that waits for its code.
    for (const { id, status, trial_ends_at: _, activated_at: __, ...form } of users) {
      if (status !== 'pending') continue;
      await insertRegistration(transaction, {
        ...form,
        user_id: id,
        role_id: 1,
        password_hash: passwordHash,
      });
    }
    await transaction
      .insertInto('promo_codes')
      .values({ code: 'WELCOME30', valid_until: null, max_uses: null })
      .execute();
    return passwordHash;
  });
}
