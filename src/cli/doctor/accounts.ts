import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { mailboxesOfTwo } from '#server/accounts/addresses.ts';
import { loadPhoneCheck } from '#server/accounts/phone-number.ts';
import { bad, type Finding, good } from '#server/core/finding.ts';
import type { Db } from '#server/db/database.ts';

const MOST_NAMED = 5;

/** Accounts of releases before 0.2, which compared domains as they were typed (decision 253). */
export async function lookAtAddresses(db: Db): Promise<readonly Finding[]> {
  const found = await mailboxesOfTwo(db);
  if (found.length === 0) return [good('addresses', texts.addresses)];
  const some = found.slice(0, MOST_NAMED).join(', ');
  return [bad('warning', 'addresses', 'twoOfMailbox', { count: found.length, some })];
}

/** Accounts of one statement, which stays far below the time limit of statements. */
const BATCH = 2000;
/** Ids are random: of a larger installation, the first accounts are a fair sample. */
const MOST = 50_000;
/** Accounts that the warning names. */
const NAMED = 20;

/** Returns a warning of phone numbers on accounts that no country has. */
export async function lookAtNumbers(db: Db): Promise<Finding> {
  const isKnown = await loadPhoneCheck();
  const wrong: number[] = [];
  let [looked, last, size] = [0, 0, BATCH];
  while (size === BATCH && looked < MOST) {
    const rows = await db
      .selectFrom('users')
      .select(['id', 'dial_code', 'mobile'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id, dial_code, mobile } of rows) {
      if (mobile !== '' && !isKnown(dial_code + mobile)) wrong.push(id);
    }
    size = rows.length;
    looked += size;
    last = rows.at(-1)?.id ?? last;
  }
  const ids = wrong.slice(0, NAMED).join(', ');
  return wrong.length > 0
    ? bad('warning', 'numbers', 'badNumbers', { count: wrong.length, looked, ids })
    : good('numbers', texts.numbers, { looked });
}
