import { canonicalEmail, isEmail } from '#domain/typed/validation.ts';
import type { SecretBox } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import { isOpenJob } from '../../jobs/open-jobs.ts';
import { smsNumber } from '../../notifications/sms-pumping-guard.ts';
import type { Person } from '../../accounts/personal-data.ts';

type WaitingJob = { readonly id: string; readonly kind: string };

/** The person's keys in the payload of a job. */
type Named = {
  readonly ids: Set<number>;
  readonly emails: Set<string>;
  readonly numbers: Set<string>;
};

/** Names of account ids in the payloads of all kinds of jobs. */
const ID_KEYS: ReadonlySet<string> = new Set(['userId', 'accountId', 'sub']);

/**
 * Returns the open and dead jobs of the outbox that belong to the person. A message with a code belongs to the account
 * of the code. Any other job is matched by the account id, else the whole address, else the whole number in its
 * payload: several people may share a number, and a part of a text identifies no one person.
 */
export async function waitingJobsOf(
  db: Db,
  secretBox: Pick<SecretBox, 'decrypt'>,
  { ids, emails, phones }: Person,
): Promise<readonly WaitingJob[]> {
  const found = await db
    .selectFrom('outbox')
    .leftJoin('messages', 'messages.idempotency_key', 'outbox.idempotency_key')
    .leftJoin('otp_codes', (join) =>
      join.on('otp_codes.id', '=', (eb) =>
        eb.fn.coalesce('messages.otp_id', 'messages.called_otp_id'),
      ),
    )
    .select(['outbox.id', 'outbox.kind', 'outbox.payload', 'otp_codes.user_id as owner'])
    .where(isOpenJob)
    .execute();
  const own = {
    emails: new Set(emails.map(canonicalEmail)),
    numbers: new Set([...phones, ...(await Promise.all(phones.map(smsNumber)))]),
  };
  return found.flatMap(({ id, kind, payload, owner }) => {
    const isTheirs = owner === null ? isNamed(namedIn(openPayload(payload))) : ids.includes(owner);
    return isTheirs ? { id, kind } : [];
  });

  function isNamed(named: Named): boolean {
    if (named.ids.size > 0) return ids.some((id) => named.ids.has(id));
    if (named.emails.size > 0) return [...own.emails].some((email) => named.emails.has(email));
    return [...own.numbers].some((number) => named.numbers.has(number));
  }

  function openPayload({ sealed }: Record<string, unknown>): unknown {
    try {
      return typeof sealed === 'string' ? JSON.parse(secretBox.decrypt('outbox', sealed)) : null;
    } catch {
      // Encrypted with a lost secret: unreadable.
      return null;
    }
  }
}

function namedIn(payload: unknown): Named {
  const named: Named = { ids: new Set(), emails: new Set(), numbers: new Set() };
  visit(payload, '');
  return named;

  function visit(value: unknown, key: string): void {
    if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) visit(each, name);
    } else if (ID_KEYS.has(key)) named.ids.add(Number(value));
    else if (typeof value !== 'string') return;
    else if (isEmail(value)) named.emails.add(canonicalEmail(value));
    else named.numbers.add(value);
  }
}
