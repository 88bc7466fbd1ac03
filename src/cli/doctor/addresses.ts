import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { mailboxesOfTwo } from '#server/accounts/addresses.ts';
import { bad, type Finding, good } from '#server/administration/finding.ts';
import type { Db } from '#server/db/database.ts';

const MOST_NAMED = 5;

/** Accounts of releases before 0.2, which compared domains as they were typed (decision 253). */
export async function lookAtAddresses(db: Db): Promise<readonly Finding[]> {
  const found = await mailboxesOfTwo(db);
  if (found.length === 0) return [good('addresses', texts.addresses)];
  const some = found.slice(0, MOST_NAMED).join(', ');
  return [bad('warning', 'addresses', 'twoOfMailbox', { count: found.length, some })];
}
