/** Ends every session, code and link: after a restore, or when a copy of the database was stolen (R47). */

import { type RawBuilder, sql } from 'kysely';
import { ACTIVATION_PROOF_LIFE_MS } from '#domain/proofs/activation.ts';
import { later } from '#server/core/clock.ts';
import type { Db } from '#server/db/database.ts';
import type { Tables } from '#server/db/schema.ts';
import { OPENING_MAILS } from '#server/notifications/notifications.ts';

type Statement = (now: Date) => RawBuilder<unknown>;
type Table = keyof Tables | 'hosted_challenges';

const all = (table: Table): Statement => {
  const statement = sql`delete from ${sql.table(table)}`;
  return () => statement;
};
const opens = (column: string) =>
  sql`split_part(${sql.ref(column)}, ':', 1) in (${sql.join([...OPENING_MAILS])})`;

/**
 * How each table's rows end, or `null` where none of them lets anybody in. Nothing here is judged by a clock later on:
 * instances whose clocks are behind must not find something alive. A new table does not compile without its line.
 */
const ENDINGS: Readonly<Record<Table, Statement | null>> = {
  // The visit and its forms: an unfinished sign-up asks for a new code. A cookie of before a
  // sign-in or sign-out ends.
  visits: () =>
    sql`update visits set previous_hash = null, previous_until = null where previous_hash is not null`,
  sign_ins: (now) =>
    sql`update sign_ins set ended_at = ${now}, stage = 'ended' where ended_at is null`,
  auth_tokens: all('auth_tokens'),
  authorizations: all('authorizations'),
  handoffs: (now) => sql`update handoffs set redeemed_at = ${now} where redeemed_at is null`,
  // A sign-up takes a code that was right a while after, also a closed one: that proof goes, and who waits for it with
  // a clock that is behind is given twice the time.
  otp_codes: (now) =>
    sql`update otp_codes set closed_at = coalesce(closed_at, ${now}), verified_at =
      case when type = 'USER_ACTIVATION' and verified_at > ${later(now, -2 * ACTIVATION_PROOF_LIFE_MS)}
      then null else verified_at end
      where closed_at is null or verified_at > ${later(now, -2 * ACTIVATION_PROOF_LIFE_MS)}`,
  reset_handles: all('reset_handles'),
  reset_links: all('reset_links'),
  invitations: all('invitations'),
  // Kept: one of an account that is active still says so, and any other says that it has expired.
  activation_links: () =>
    sql`update activation_links set expires_at = created_at where expires_at > created_at`,
  activation_visits: all('activation_visits'),
  answered_forms: all('answered_forms'),
  page_codes: all('page_codes'),
  key_challenges: all('key_challenges'),
  organisation_sign_ins: all('organisation_sign_ins'),
  // A key that was removed since the backup is back: each one needs password and code once.
  saved_keys: () => sql`update saved_keys set needs_code = true, shown_in = null
    where not needs_code or shown_in is not null`,
  // From now on an unknown key may be one that the backup does not have.
  key_domain: (now) =>
    sql`insert into key_domain (restored_at) values (${now})
      on conflict (is_only) do update set restored_at = excluded.restored_at`,
  captcha_solutions: (now) =>
    sql`update captcha_solutions set spent_at = ${now} where spent_at is null`,
  client_requests: (now) =>
    sql`update client_requests set ended_at = ${now} where ended_at is null`,
  // Used one-time values must not count a second time: those rows stay.
  hosted_payloads: () => sql`delete from hosted_payloads where model <> 'ReplayDetection'`,
  hosted_tickets: all('hosted_tickets'),
  hosted_challenges: all('hosted_challenges'),
  // Given-up ones as well: an operator could send them again.
  outbox: (now) =>
    sql`update outbox set payload = '{}', locked_until = null, last_error = 'expired',
      dead_at = coalesce(dead_at, ${now})
      where done_at is null and payload::text <> '{}' and ${opens('idempotency_key')}`,
  messages: (now) =>
    sql`update messages set state = 'failed', reason = 'expired', failed_at = ${now}
      where state = 'queued' and ${opens('idempotency_key')}`,

  // A change that waits for its code ends. An undo link stays: it opens no account, and only its hash is stored.
  staff_changes: (now) =>
    sql`update staff_changes set closed_at = ${now} where done_at is null and closed_at is null`,
  contact_changes: (now) =>
    sql`update contact_changes set closed_at = ${now} where changed_at is null and closed_at is null`,
  // An ask that waits for its yes ends. A helper opens nothing.
  helpers: (now) =>
    sql`update helpers set removed_at = ${now}, removed_by = 'operator'
      where added_at is null and removed_at is null`,
  // A way in beside the password, which nobody has by a copy alone: both are encrypted or hashed under its key.
  app_codes: null,
  recovery_codes: null,
  users: null,
  house_administrators: null,
  house_roles: null,
  house_looks: null,
  user_roles: null,
  linked_accounts: null,
  registrations: null,
  survey_answers: null,
  // By it a browser counts apart; it opens nothing without password and code.
  known_devices: null,
  // The device's cookie opens nothing; the person who used it is signed out with everybody.
  shared_devices: null,
  key_owners: null,
  // Settings. A directory's bearer is only there as a hash; a link opens nothing without the organisation's answer.
  organisations: null,
  organisation_domains: null,
  organisation_links: null,
  consents: null,
  subtenants: null,
  logos: null,
  promo_codes: null,
  clients: null,
  limits: null,
  inbox_messages: null,
  received_leads: null,
  audit_events: null,
  audit_seals: null,
  audit_keys: null,
  server_keys: null,
  demo_module_keys: null,
  name_keys: null,
  names_to_fold: null,
};

/** Rows that were ended, by table. */
export type Ended = Readonly<Record<string, number>>;

/**
 * Ends every session, code, link, token and request of everybody, and takes the mails and texts that carry one out of
 * the outbox. Accounts, passwords, roles and consents stay; other mails and leads are still sent.
 */
export async function endAllAccess(transaction: Db, now: Date): Promise<Ended> {
  const ended: Record<string, number> = {};
  for (const [table, statement] of Object.entries(ENDINGS)) {
    if (!statement) continue;
    const { numAffectedRows = 0n } = await statement(now).execute(transaction);
    if (numAffectedRows > 0n) ended[table] = Number(numAffectedRows);
  }
  // Such a link is mailed once a day: today's is dead now, and must not keep the next one back.
  for (const table of ['outbox', 'messages']) {
    await sql`update ${sql.table(table)} set idempotency_key = idempotency_key || ':' || id
      where idempotency_key like 'activation:%'`.execute(transaction);
  }
  return ended;
}
