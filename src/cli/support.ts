/** `porchlight support`: tells why a person cannot sign in, then the events of the audit log and the messages. */

import { whyCannotSignIn } from '#domain/help-desk/why-cannot-sign-in.ts';
import { consoleMessages } from '#locales/operator/console.ts';
import { whyCannotSignIn as causes } from '#locales/operator/why-cannot-sign-in.ts';
import { supportCommand as texts } from '#locales/operator/support-command.ts';
import { visitTexts } from '#locales/operator/visit.ts';
import { pageCodeIn } from '#domain/help-desk/page-code.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { fill } from '#locales/fill.ts';
import { type Account, findRoleIds } from '#server/accounts/account-store.ts';
import { listKeys } from '#server/proofs/passkeys/key-store.ts';
import { messagesToAccounts } from '#server/access/person-messages.ts';
import { helpersOf } from '#server/accounts/helper-store.ts';
import { helperState } from '#domain/people/helpers.ts';
import { findByWord } from '#server/accounts/person.ts';
import type { VisitFacts } from '#contract/console.ts';
import { readPageCode } from '#server/people/page-codes.ts';
import { signInFactsOf } from '#server/access/sign-in-facts.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { Db } from '#server/db/database.ts';
import { type CommandContext, type CommandOf, onDatabase, output, table } from './command.ts';
import { rolesText } from './person-words.ts';

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

export const support: CommandOf<'support'> = {
  '': ([word = '']) =>
    onDatabase(async (context) => {
      const { db } = context;
      const code = pageCodeIn(word);
      const visit = code && (await readPageCode(context, code));
      if (visit) return output(visitLines(visit), visit);
      const account = await findByWord(db, word);
      const userIds = account ? [account.id] : await accountsOf(db, word);
      const events = await eventsOf(db, account ? null : word, userIds);
      if (!account && events.length === 0) throw new OperatorError(fill(texts.nothing, { word }));
      const entries = [...events, ...(await messagesOf(db, userIds))].toSorted(
        (a, b) => a.at.getTime() - b.at.getTime(),
      );
      const answer = account ? await supportLines(context, account) : [];
      const rows = entries.map(({ at, what, outcome, reason, request, details }) => [
        at.toISOString(),
        what,
        outcome,
        reason,
        request,
        JSON.stringify(details),
      ]);
      const lines = rows.length === 0 ? [texts.noEvents] : table(texts.header, rows);
      return output([...answer, ...lines], entries);
    }),
};

/** Prints the state of a visit that a page code opens: never an account. */
function visitLines({ screen, stage, address, isProven, messages, otp }: VisitFacts<Date>) {
  const email = address ?? '';
  return [
    fill(visitTexts.at, { screen: pathOf(screen) }),
    visitTexts.stage[stage],
    address === null
      ? visitTexts.noAddress
      : fill(isProven ? visitTexts.proven : visitTexts.typed, { email }),
    ...messages.map(({ channel, to, state, at }) =>
      [at.toISOString(), channel, to, state].join('  '),
    ),
    ...(otp ? [fill(visitTexts.tries, { wrong: otp.wrongTries, left: otp.triesLeft })] : []),
    visitTexts.notProof,
  ];
}

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

async function messagesOf(db: Db, userIds: readonly number[]): Promise<readonly Entry[]> {
  const rows = await messagesToAccounts(db, userIds);
  return rows.slice(0, MOST).map((row) => ({
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

/** Prints first why the person cannot sign in and its mend, then the account, its passkeys and its helpers. */
async function supportLines(context: CommandContext, account: Account): Promise<readonly string[]> {
  const { db, clock } = context;
  const facts = await signInFactsOf(context, account);
  const cause = whyCannotSignIn(facts);
  const { id, email, first_name: first, last_name: last } = account;
  const [channel, message] =
    cause === 'phoneGetsNoTexts'
      ? (['sms', facts.lastText] as const)
      : (['email', facts.lastMail] as const);
  const values = {
    id,
    email,
    name: `${first} ${last}`,
    until: (facts.lockedUntil ?? facts.changeUntil)?.toISOString() ?? '',
    module: facts.missingModule ?? '',
    organization: facts.organisation?.label ?? '',
    reason: consoleMessages.reasons[channel][message?.reason ?? 'unknown'],
  };
  const keys = (await listKeys(db, id)).map(({ name }) => name);
  const helpers = (await helpersOf(db, id)).flatMap((row) => {
    const times = { addedAt: row.added_at, endsAt: row.ends_at, removedAt: row.removed_at };
    const state = helperState(times, clock.now());
    return state === 'ended' ? [] : `${row.helperName || row.email} (${state})`;
  });
  return [
    fill(causes[cause], values),
    fill(causes[`${cause}Mend`], values),
    fill(texts.account, {
      id,
      status: account.status,
      roles: rolesText(await findRoleIds(db, id)) || texts.noRoles,
      ofMail: account.email_proven_at ? texts.proven : texts.unproven,
      ofPhone: account.phone_proven_at ? texts.proven : texts.unproven,
    }),
    ...(keys.length === 0 ? [] : [fill(texts.keys, { names: keys.join(', ') })]),
    ...(helpers.length === 0 ? [] : [fill(texts.helpers, { names: helpers.join(', ') })]),
    '',
  ];
}
