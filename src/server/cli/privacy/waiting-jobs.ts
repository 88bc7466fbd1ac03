import type { SecretBox } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import { isOpenJob } from '../../jobs/open-jobs.ts';
import { EVENT_JOB } from '../../notifications/event-webhook.ts';
import type { Person } from './personal-data.ts';

type WaitingJob = { readonly id: string; readonly kind: string };

/** An event has a number alone, which is a part of other numbers. */
function accountIn(opened: string): number {
  const event = opened === '' ? null : (JSON.parse(opened) as { data?: { userId?: number } });
  return event?.data?.userId ?? 0;
}

/** Jobs of the outbox that wait or were given up, and have an address, a number or the id of a person in them. */
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
  const marks = [...emails, ...phones, ...ids.map(String)].map((mark) => mark.toLowerCase());
  return found.flatMap(({ id, kind, payload }) => {
    const opened = openPayload(payload);
    if (kind === EVENT_JOB) return ids.includes(accountIn(opened)) ? { id, kind } : [];
    const text = opened.toLowerCase();
    return marks.some((mark) => text.includes(mark)) ? { id, kind } : [];
  });

  function openPayload({ sealed }: Record<string, unknown>): string {
    try {
      return typeof sealed === 'string' ? secretBox.decrypt('outbox', sealed) : '';
    } catch {
      // Sealed under a secret that is gone: nobody reads it.
      return '';
    }
  }
}
