import { OTP_TYPES, type OtpType } from '#domain/proofs/otp.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { RATE_LIMITS, type RateLimit } from '../config/limits.ts';
import { createRateLimits, rateLimitKey, type Use } from '../abuse/rate-limits.ts';
import type { Db } from '../db/database.ts';
import type { DeedContext } from './context.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { gatherPerson } from '../accounts/person.ts';
import type { Person } from '../accounts/personal-data.ts';

/**
 * Resets the counters of one account: its wrong passwords and codes, and messages to its mailbox and number. The
 * counters of networks and of other accounts stay. In one transaction with its event.
 * @returns the number of counters; 0 writes no event
 */
export async function unlockAccount(
  { db, secretBox, audit }: Pick<DeedContext, 'db' | 'secretBox' | 'audit'>,
  id: number,
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const person = await gatherPerson(transaction, id);
    const uses = person ? await usesOf(transaction, person) : [];
    const keys = [...new Set(uses.map((use) => rateLimitKey(secretBox, use)))];
    const cleared = await transaction
      .deleteFrom('limits')
      .where('key', 'in', keys)
      .returning('key')
      .execute();
    if (cleared.length === 0) return 0;
    const details = { count: cleared.length };
    await audit({ kind: 'account.unlocked', userId: id, details }, transaction);
    return cleared.length;
  });
}

/**
 * Resets the counters that lock a sign-in: wrong passwords, and wrong codes in a row. A helper asks for it, so the counters
 * of messages and of a day's codes stay (HLP-14).
 * @returns the number of counters
 */
export async function unlockSignIn(
  transaction: Db,
  secretBox: Pick<DeedContext['secretBox'], 'hmac'>,
  { id, email }: { readonly id: number; readonly email: string },
): Promise<number> {
  const type: OtpType = 'TWOFACTORAUTHENTICATION';
  const devices = await devicesOf(transaction, [id]);
  const subjects = [[], ...devices.map((device) => [device.device_hash])];
  const uses = [
    ...(await passwordUsesOf(transaction, { ids: [id], emails: [canonicalEmail(email)] })),
    ...subjects.map((device): Use => [
      RATE_LIMITS.wrongCodePerAccount,
      type,
      String(id),
      ...device,
    ]),
  ];
  const keys = uses.map((use) => rateLimitKey(secretBox, use));
  const cleared = await transaction
    .deleteFrom('limits')
    .where('key', 'in', keys)
    .returning('key')
    .execute();
  return cleared.length;
}

/** The limits that keep a person from signing in; the others hold back notices. */
const KEEP_OUT: ReadonlySet<RateLimit> = new Set([
  RATE_LIMITS.passwordPerAccountAndIp,
  RATE_LIMITS.passwordPerKnownBrowser,
  RATE_LIMITS.codePerAccount,
  RATE_LIMITS.codePerAccountADay,
  RATE_LIMITS.wrongCodePerAccount,
  RATE_LIMITS.comparedCodePerAccountADay,
  RATE_LIMITS.codePerMailbox,
  RATE_LIMITS.codePerMailboxADay,
]);

/** Returns whether a counter that `unlockAccount` resets keeps the person out. */
export async function isLocked(
  context: Pick<DeedContext, 'db' | 'clock' | 'secretBox' | 'config'>,
  id: number,
): Promise<boolean> {
  const person = await gatherPerson(context.db, id);
  if (!person) return false;
  const uses = await usesOf(context.db, person);
  return createRateLimits(context).isExhausted(...uses.filter(([rule]) => KEEP_OUT.has(rule)));
}

/** Returns the uses to reset: counters have keyed hashes as names, so each is computed from its parts. */
async function usesOf(db: Db, { ids, emails, phones }: Person): Promise<readonly Use[]> {
  const devices = await devicesOf(db, ids);
  const forms = await db
    .selectFrom('registrations')
    .select('id')
    .where('user_id', 'in', ids)
    .execute();
  const limitSubjects = [
    ...forms.map((form) => ['form', form.id]),
    ...OTP_TYPES.flatMap((type) => [
      ...ids.map((id) => [type, String(id)]),
      ...devices.map((device) => [type, String(device.user_id), device.device_hash]),
    ]),
  ];
  const { passwordPerAccountAndIp: _, passwordPerKnownBrowser: __, ...single } = RATE_LIMITS;
  return [
    ...(await passwordUsesOf(db, { ids, emails })),
    ...limitSubjects.flatMap((limitSubject): Use[] => [
      [single.codePerAccount, ...limitSubject],
      [single.codePerAccountADay, ...limitSubject],
      [single.wrongCodePerAccount, ...limitSubject],
      [single.comparedCodePerAccountADay, ...limitSubject],
    ]),
    ...phones.flatMap((phone): Use[] =>
      ['signIn', 'signUp'].flatMap((purpose): Use[] => [
        [single.textPerNumber, phone, purpose],
        [single.textPerNumberADay, phone, purpose],
      ]),
    ),
    ...Object.values(single).flatMap((rule) =>
      [...ids.map(String), ...emails, ...phones].map((subject): Use => [rule, subject]),
    ),
  ];
}

const devicesOf = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('known_devices')
    .select(['user_id', 'device_hash'])
    .where('user_id', 'in', ids)
    .execute();

/** Returns the counters of an account's wrong passwords: each network they came from, each known browser. */
export async function passwordUsesOf(
  db: Db,
  { ids, emails }: Pick<Person, 'ids' | 'emails'>,
): Promise<readonly Use[]> {
  const devices = await devicesOf(db, ids);
  const networks = await db
    .selectFrom('audit_events')
    .select('ip')
    .distinct()
    .where('user_id', 'in', ids)
    .where('ip', 'is not', null)
    .execute();
  const { passwordPerAccountAndIp, passwordPerKnownBrowser } = RATE_LIMITS;
  return emails.flatMap((email): Use[] => [
    ...networks.map(({ ip }): Use => [passwordPerAccountAndIp, email, ip ?? '']),
    ...devices.map(({ device_hash }): Use => [passwordPerKnownBrowser, email, device_hash]),
  ]);
}
