import { maskEmail, maskPhone, OTP_COUNTDOWN_MS, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { insertAccounts, personalDataOf } from '../accounts/account-store.ts';
import { insertRegistration } from '../accounts/registration-store.ts';
import { toAuditRow } from '../audit/audit.ts';
import { later } from '../core/clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Hashing } from '../proofs/password/hashing.ts';
import { CODE_TYPE, createDice, GUESSING_IP, type MonthCode, monthUntil } from './month-events.ts';
import {
  personEmail,
  MONTH_PEOPLE,
  type MonthPerson,
  casePerson,
  RESIDENTS,
} from './month-people.ts';
import { seedDemo } from './seed.ts';

/** Older codes, and the messages with them, are cleaned up: events alone tell of them (`jobs/cleanup.ts`). */
const CODES_KEPT_MS = 23 * HOUR_MS;
const ROWS_AT_ONCE = 1000;
const LOCK_ROUNDS = 6;
const LAST_GUESS_MINUTES = 35;

/** Fills the empty database of a demo, where asked with a month of events. */
export async function fillDemo(context: ServerContext, hash: Hashing['hash'], hasMonth: boolean) {
  const passwordHash = await seedDemo(context.db, context.clock, hash);
  if (passwordHash !== null && hasMonth) await seedMonth(context, passwordHash);
}

/** Fills a demo with a month of events, so that the console has something to show. */
export async function seedMonth(context: ServerContext, passwordHash: string): Promise<void> {
  const now = context.clock.now();
  const { events, codes } = monthUntil(now);
  const rows = events.map(({ at, details = {}, ...event }) => ({
    ...toAuditRow({ ...event, details }, at, 'visitor'),
    details: JSON.stringify(details),
  }));
  await context.db.transaction().execute(async (transaction) => {
    await insertPeople(transaction, now, passwordHash);
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      await transaction.insertInto('audit_events').values(part).execute();
    }
    await insertCodes(
      transaction,
      codes.filter(({ at }) => at > later(now, -CODES_KEPT_MS)),
    );
    await insertDeadLetters({ ...context, db: transaction });
  });
  await lockOut(context, casePerson('locked'));
}

async function insertPeople(db: Db, now: Date, passwordHash: string): Promise<void> {
  const users = MONTH_PEOPLE.map((each, n) => {
    const isPending = each.status === 'pending';
    const since = later(now, -(isPending ? 2 : 60 + 3 * n) * DAY_MS);
    const proven = isPending ? null : since;
    return {
      id: each.id,
      email: personEmail(each),
      first_name: each.person[0],
      last_name: each.person[1],
      dial_code: '+1',
      mobile: `55502${String(n + 100).padStart(5, '0')}`,
      password_hash: isPending ? null : passwordHash,
      status: each.status,
      subtenant_id: each.subtenantId,
      created_at: since,
      activated_at: proven,
      email_proven_at: proven,
      phone_proven_at: proven,
      first_signed_in_at: proven,
    };
  });
  const accounts = await insertAccounts(db, users);
  const roles = MONTH_PEOPLE.map(({ id, role }) => ({ user_id: id, role_id: role }));
  await db.insertInto('user_roles').values(roles).execute();
  for (const account of accounts.filter(({ status }) => status === 'pending')) {
    const { id, subtenant_id, created_at } = account;
    await insertRegistration(db, {
      ...personalDataOf(account),
      subtenant_id,
      created_at,
      user_id: id,
      role_id: 1,
      password_hash: passwordHash,
    });
  }
}

/** Inserts codes with their visits and messages. A code that was never typed stays open. */
async function insertCodes(db: Db, codes: readonly MonthCode[]): Promise<void> {
  const { uuid } = createDice(7);
  const rows = codes.map((code) => ({ ...code, id: uuid() }));
  await db
    .insertInto('visits')
    .values(
      rows.map(({ visitId, at, person: { subtenantId } }) => ({
        id: visitId,
        token_hash: `demo ${visitId}`,
        subtenant_id: subtenantId,
        created_at: at,
        seen_at: at,
      })),
    )
    .execute();
  await db
    .insertInto('otp_codes')
    .values(
      rows.map(({ id, visitId, at, person, isTyped }) => ({
        id,
        visit_id: visitId,
        user_id: person.id,
        registration_id: null,
        sign_in_id: null,
        type: CODE_TYPE,
        subject: id,
        medium: OTP_MEDIUM.both,
        code_hmac: '',
        sent_at: at,
        expires_at: later(at, OTP_COUNTDOWN_MS),
        verified_at: isTyped ? later(at, 30_000) : null,
        closed_at: isTyped ? later(at, 30_000) : null,
      })),
    )
    .execute();
  await db
    .insertInto('messages')
    .values(
      rows.flatMap(({ id, at, person, mail, text }) =>
        (['email', 'sms'] as const).map((channel) => {
          const { id: messageId, reason, ms } = channel === 'email' ? mail : text;
          const end = later(at, ms);
          return {
            id: messageId,
            idempotency_key: `otp:${id}:${channel}`,
            otp_id: id,
            channel,
            destination:
              channel === 'email' ? maskEmail(personEmail(person)) : maskPhone('5550200100'),
            state: reason ? ('failed' as const) : ('delivered' as const),
            reason,
            has_receipts: true,
            subtenant_id: person.subtenantId,
            queued_at: at,
            sent_at: later(at, 1000),
            delivered_at: reason ? null : end,
            failed_at: reason ? end : null,
          };
        }),
      ),
    )
    .execute();
}

/** Adds mails that were given up; an operator can send them once more. */
async function insertDeadLetters({ db, clock, outbox }: ServerContext): Promise<void> {
  const now = clock.now();
  const { uuid } = createDice(11);
  const given = [
    ['activation', 'Confirm your email address', 'unavailable', RESIDENTS[7], 118],
    ['reset-done', 'Your password was changed', 'unavailable', RESIDENTS[11], 209],
  ] as const;
  for (const [kind, subject, reason, person, minutes] of given) {
    if (!person) continue;
    const to = personEmail(person);
    const at = later(now, -minutes * MINUTE_MS);
    const key = `${kind}:${uuid()}`;
    const text = `Hello ${person.person[0]}, ${subject.toLowerCase()}. Porchlight's demo.`;
    const message = { channel: 'email', to, subject, text, html: null, code: null, link: null };
    await outbox.add(db, { kind: 'message', payload: message, idempotencyKey: key });
    await db
      .updateTable('outbox')
      .set({ created_at: at, dead_at: later(at, HOUR_MS / 2), attempts: 20, last_error: reason })
      .where('idempotency_key', '=', key)
      .execute();
    await db
      .insertInto('messages')
      .values({
        id: uuid(),
        idempotency_key: key,
        otp_id: null,
        channel: 'email',
        destination: maskEmail(to),
        state: 'failed',
        reason,
        subtenant_id: person.subtenantId,
        queued_at: at,
        failed_at: later(at, HOUR_MS / 2),
      })
      .execute();
  }
}

/** Counts wrong passwords of the last day, so that the account is locked for hours: each wait is twice as long. */
async function lockOut(context: ServerContext, person: MonthPerson): Promise<void> {
  const { db, secretBox, config, clock } = context;
  const use = [RATE_LIMITS.passwordPerAccountAndIp, personEmail(person), GUESSING_IP] as const;
  const { max, windowMs } = RATE_LIMITS.passwordPerAccountAndIp;
  for (let round = 0; round <= LOCK_ROUNDS; round += 1) {
    const left = LOCK_ROUNDS - round;
    const waitsMs = windowMs * (2 ** LOCK_ROUNDS - 2 ** round);
    const at = later(clock.now(), -waitsMs - (LAST_GUESS_MINUTES + left) * MINUTE_MS);
    const limits = createRateLimits({ db, secretBox, clock: { now: () => at }, config });
    // The first use opens the window; the last one of the others fills it, and the wait begins.
    await limits.isWithin(use);
    await limits.isWithin(...Array.from({ length: max * config.limitFactor - 1 }, () => use));
  }
}
