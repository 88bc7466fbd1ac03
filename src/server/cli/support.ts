/** `porchlight support REF|EMAIL`: what happened to somebody, from the audit log and the messages, in one line of time. */

import { supportCommand as texts } from '#locales/en/support-command.ts';
import { fill } from '#locales/fill.ts';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Db } from '../db/database.ts';
import { type Command, output, wrongUsage } from './command.ts';

/** The newest so many of each. */
const MOST = 200;

type Entry = {
  readonly at: Date;
  readonly what: string;
  readonly outcome: string;
  readonly reason: string;
  readonly request: string;
  readonly details: Readonly<Record<string, unknown>>;
};

export const support: Command = (words) => {
  const [word, ...rest] = words;
  if (word === undefined || rest.length > 0) throw wrongUsage('support');
  return (at) =>
    at.withDatabase(async ({ db }) => {
      const account = word.includes('@') ? await findAccountByEmail(db, word) : undefined;
      const userIds = account ? [account.id] : await accountsOf(db, word);
      const events = await eventsOf(db, account ? null : word, userIds);
      if (events.length === 0) throw new OperatorError(fill(texts.nothing, { word }));
      const entries = [...events, ...(await messagesOf(db, userIds))].toSorted(
        (a, b) => a.at.getTime() - b.at.getTime(),
      );
      return output(entries.map(lineOf), entries);
    });
};

async function accountsOf(db: Db, request: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select('user_id')
    .distinct()
    .where('request_id', '=', request)
    .where('user_id', 'is not', null)
    .execute();
  return rows.flatMap(({ user_id: id }) => id ?? []);
}

async function eventsOf(
  db: Db,
  request: string | null,
  userIds: readonly number[],
): Promise<readonly Entry[]> {
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where((eb) =>
      eb.or([
        ...(request === null ? [] : [eb('request_id', '=', request)]),
        ...(userIds.length === 0 ? [] : [eb('user_id', 'in', userIds)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();
  return rows.map((row) => ({
    at: row.at,
    what: row.kind,
    outcome: row.outcome ?? '',
    reason: row.reason ?? '',
    request: row.request_id ?? '',
    details: row.details,
  }));
}

/** Codes, and the links that set a password. Destinations are masked where they are kept. */
async function messagesOf(db: Db, userIds: readonly number[]): Promise<readonly Entry[]> {
  if (userIds.length === 0) return [];
  const links = await db
    .selectFrom('reset_links')
    .select('id')
    .where('user_id', 'in', userIds)
    .execute();
  const keys = links.flatMap(({ id }) => [`reset:${id}`, `invitation:${id}`]);
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('otp_id', 'in', eb.selectFrom('otp_codes').select('id').where('user_id', 'in', userIds)),
        ...(keys.length === 0 ? [] : [eb('idempotency_key', 'in', keys)]),
      ]),
    )
    .orderBy('queued_at', 'desc')
    .limit(MOST)
    .execute();
  return rows.map((row) => ({
    at: row.queued_at,
    what: `message.${row.channel}`,
    outcome: row.state,
    reason: row.reason ?? '',
    request: '',
    details: {
      to: row.destination,
      sentAt: row.sent_at,
      deliveredAt: row.delivered_at,
      failedAt: row.failed_at,
    },
  }));
}

const lineOf = ({ at, what, outcome, reason, request, details }: Entry): string =>
  [at.toISOString(), what, outcome, reason, request, JSON.stringify(details)].join('\t');
