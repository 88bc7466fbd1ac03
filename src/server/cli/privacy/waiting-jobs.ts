import { canonicalEmail } from '#domain/validation.ts';
import type { SecretBox } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import { isOpenJob } from '../../jobs/open-jobs.ts';
import { smsNumber } from '../../notifications/sms-pumping-guard.ts';
import type { Person } from './personal-data.ts';

type WaitingJob = { readonly id: string; readonly kind: string };

/** The fields that name a person, in the jobs of all kinds: messages, leads, alerts, notices and events. */
type JobContent = {
  readonly to?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly accountId?: string | number;
  readonly sub?: string | number;
  readonly data?: { readonly userId?: number };
};

/**
 * Returns the jobs of the outbox that wait or were given up and name the person: by the account's id, a whole address or
 * a whole number. A part of one is never enough: a short number is a part of many others.
 */
export async function waitingJobsOf(
  db: Db,
  secretBox: Pick<SecretBox, 'decrypt'>,
  { ids, emails, phones }: Person,
): Promise<readonly WaitingJob[]> {
  const found = await db
    .selectFrom('outbox')
    .select(['id', 'kind', 'payload'])
    .where(isOpenJob)
    .execute();
  const accounts = new Set(ids.map(String));
  const contacts = new Set([
    ...emails.map(canonicalEmail),
    ...phones,
    // As a message to it is addressed.
    ...(await Promise.all(phones.map(smsNumber))),
  ]);
  return found
    .filter(({ payload }) => {
      const { to, email, phone, accountId, sub, data } = openPayload(payload);
      return (
        [accountId, sub, data?.userId].some((id) => accounts.has(String(id))) ||
        [to, email, phone].some((text) => text && contacts.has(canonicalEmail(text)))
      );
    })
    .map(({ id, kind }) => ({ id, kind }));

  function openPayload({ sealed }: Record<string, unknown>): JobContent {
    try {
      return typeof sealed === 'string'
        ? (JSON.parse(secretBox.decrypt('outbox', sealed)) as JobContent)
        : {};
    } catch {
      // Encrypted under a secret that is gone: no server can read it.
      return {};
    }
  }
}
