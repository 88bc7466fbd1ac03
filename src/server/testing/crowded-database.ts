/** A database as it is after years: accounts, and everything that they leave behind. */

import pg from 'pg';
import { createClock } from '../core/clock.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { seedDemo } from '../demo/seed.ts';
import { inCluster } from './cluster.ts';

/** The ids of accounts that were made by the way of a sign-up are far from these. */
const FIRST_ID = 10_000_000_000;
const CONNECTIONS = 3;

/** The address of one of the crowd, counted from 1. */
export const emailOfCrowd = (n: number) => `person-${n}@crowd.test`;

export type Crowd = {
  readonly size: number;
  /** The hash of all passwords. */
  readonly passwordHash: string;
};

/** Random-looking, and the same in every table: rows do not lie in the order of their keys. */
const uuid = (kind: string) => `md5('${kind}' || i)::uuid`;
const text = (kind: string) => `md5('${kind}' || i)`;
const user = `${FIRST_ID} + i`;
/** Of each thousand a few are old enough to go. */
const ago = (keptMinutes: number) => `now() - case when i % 2000 = 0
  then make_interval(mins => ${keptMinutes + 60})
  else make_interval(secs => (i * 7919.0) % ${keptMinutes * 60 - 3600}) end`;
const DAY = 24 * 60;

type Part = {
  readonly columns: string;
  /** Over the whole numbers `i`. */
  readonly values: string;
  /** One row for so many accounts; below 1: several rows each. Left out: one each. */
  readonly every?: number;
};

const PARTS: Readonly<Record<string, Part>> = {
  visits: {
    columns: 'id, token_hash, subtenant_id, created_at, seen_at, unverified_user_id',
    values: `${uuid('visit')}, ${text('cookie')}, 742, ${ago(30 * DAY)}, ${ago(30 * DAY)},
      case when i % 50 = 0 then ${user} end`,
  },
  users: {
    columns: `id, email, email_canonical, first_name, last_name, dial_code, mobile, password_hash, status,
      sign_up_platform, subtenant_id, created_at, activated_at, trial_ends_at, email_proven_at, phone_proven_at,
      first_signed_in_at, trial_told, hosted_user_id, external_id, shadow_of`,
    values: `${user}, 'person-' || i || '@crowd.test', 'person-' || i || '@crowd.test', 'Ada', 'Person', '+1',
      '202' || lpad(i::text, 7, '0'), $1::text, case when i % 50 = 49 then 'pending' else 'active' end, 1, 742,
      case when i % 50 = 49 then ${ago(7 * DAY)} else now() - make_interval(mins => i % 500000) end,
      now() - make_interval(mins => i % 500000),
      case when i % 20 = 1 then now() + make_interval(mins => i % 500000) end, now(), now(), now(),
      case when i % 20 = 1 then 1 end, 'auth0|' || i, 'old-' || i,
      case when i % 100 = 99 and i > 1 then ${FIRST_ID} + i - 1 end`,
  },
  // Each name in two orders.
  name_keys: {
    columns: 'user_id, subtenant_id, key, words',
    values: `${FIRST_ID} + (i + 1) / 2 - case when (i + 1) / 2 % 100 = 99 then 1 else 0 end, 742,
      (array['adaperson', 'personada'])[i % 2 + 1], ' ada person'`,
    every: 1 / 2,
  },
  user_roles: { columns: 'user_id, role_id', values: `${user}, 1` },
  registrations: {
    columns: `id, visit_id, user_id, first_name, last_name, dial_code, mobile, email, role_id, subtenant_id, mode,
      created_at, completed_at, activated_at`,
    values: `${text('form')}, ${uuid('visit')}, ${user}, 'Ada', 'Person', '+1', '202' || lpad(i::text, 7, '0'),
      'person-' || i || '@crowd.test', 1, 742, 'VERIFY_OTP',
      case when i % 2000 = 1999 then now() - interval '8 days' else now() - make_interval(mins => i % 10000) end,
      now(), now()`,
  },
  survey_answers: {
    columns:
      'id, user_id, registration_id, subject_id, response_id, sub_response, sealed_text, created_at',
    values: `${uuid('answer')}, case when i % 10 < 8 then ${user} end,
      case when i % 10 >= 8 then ${text('form')} end, 213, 419, '', repeat('x', 80), now()`,
    every: 4,
  },
  known_devices: {
    columns: 'user_id, device_hash, first_seen_at, seen_at',
    values: `${user}, ${text('device')}, now(), ${ago(400 * DAY)}`,
    every: 4,
  },
  linked_accounts: {
    columns: 'user_id, primary_id, linked_at',
    values: `${user}, ${user} + 1, now()`,
    every: 10,
  },
  consents: {
    columns: 'user_id, client_id, scopes, changed_at',
    values: `${user}, 'app', '{openid}', now()`,
    every: 10,
  },
  sign_ins: {
    columns: `id, app_state, visit_id, user_id, entrance, stage, amr, created_at, verified_at, completed_at, seen_at,
      ended_at`,
    values: `${text('sign-in')}, ${text('state')}, ${uuid('visit')}, ${user}, 'portal', 'complete', '{pwd,otp}', now(),
      now(), now(), now(), case when i % 3 > 0 then now() end`,
  },
  authorizations: {
    columns: 'state, sign_in_id, nonce, code_verifier, expires_at, used_at',
    values: `${text('authorization')}, ${text('sign-in')}, 'n', 'v', now() + interval '1 hour' - case when i % 2000 = 0
      then interval '2 hours' else interval '0' end, now()`,
    every: 10,
  },
  auth_tokens: {
    columns: 'token_hash, sign_in_id, expires_at',
    values: `${text('token')}, ${text('sign-in')}, ${ago(DAY)}`,
  },
  otp_codes: {
    columns: `id, visit_id, user_id, registration_id, sign_in_id, type, medium, code_hmac, sent_at, expires_at,
      verified_at, closed_at`,
    values: `${text('code')}, ${uuid('visit')}, ${user}, case when i % 2 = 0 then ${text('form')} end,
      case when i % 2 = 1 then ${text('sign-in')} end, 'TWOFACTORAUTHENTICATION', 3, 'h', ${ago(DAY)}, now(), now(),
      now()`,
  },
  messages: {
    columns: 'id, idempotency_key, otp_id, channel, destination, state, queued_at, sent_at',
    values: `${uuid('message')}, 'otp:' || ${text('code')} || ':email', ${text('code')}, 'email', 'p***', 'sent',
      ${ago(30 * DAY)}, now()`,
  },
  handoffs: {
    columns: 'jti, sign_in_id, module, role_id, role_ids, issued_at, expires_at, redeemed_at',
    values: `${text('hand-off')}, ${text('sign-in')}, 'member', 1, '{1}', now(), now(), now()`,
    every: 4,
  },
  reset_links: {
    columns: 'id, key_hash, user_id, subtenant_id, created_at, expires_at',
    values: `${text('link')}, ${text('key')}, ${user}, 742, now(), ${ago(DAY)}`,
    every: 10,
  },
  reset_handles: {
    columns: 'id, link_id, visit_id, created_at',
    values: `${text('handle')}, ${text('link')}, ${uuid('visit')}, now()`,
    every: 10,
  },
  activation_links: {
    columns: 'id, key_hash, user_id, registration_id, visit_id, created_at, expires_at',
    values: `${text('activation')}, ${text('activation key')}, ${user}, ${text('form')}, ${uuid('visit')}, now(),
      ${ago(365 * DAY)}`,
    every: 4,
  },
  activation_visits: {
    columns: 'link_id, visit_id, opened_at',
    values: `${text('activation')}, ${uuid('visit')}, now()`,
    every: 10,
  },
  answered_forms: {
    columns: 'id, expires_at, answer',
    values: `${text('answered')}, now() + interval '1 hour', 'x'`,
    every: 10,
  },
  captcha_solutions: {
    columns: 'id, visit_id, purpose, expires_at, spent_at',
    values: `${text('work')}, ${uuid('visit')}, 'signUp', now() + interval '1 hour', now()`,
    every: 10,
  },
  client_requests: {
    columns: 'id, visit_id, interaction, client_id, step, is_fresh, scopes, created_at, expires_at',
    values: `${text('request')}, ${uuid('visit')}, 'x', 'app', 'signIn', false, '{openid}', now(), ${ago(DAY)}`,
    every: 10,
  },
  hosted_payloads: {
    columns: 'model, id, payload, grant_id, uid, account_id, expires_at',
    values: `(array['Session', 'AccessToken'])[i % 2 + 1], ${text('payload')},
      jsonb_build_object('accountId', (${FIRST_ID} + i / 2)::text, 'filler', repeat('x', 60)),
      case when i % 2 > 0 then md5('grant' || i / 2) end, case when i % 2 = 0 then ${text('uid')} end,
      (${FIRST_ID} + i / 2)::text, now() + interval '1 hour' - case when i % 2000 = 0 then interval '2 hours'
      else interval '0' end`,
    every: 1 / 2,
  },
  hosted_tickets: {
    columns: 'hash, account_id, client_id, co_id_hash, expires_at',
    values: `${text('ticket')}, (${user})::text, 'porchlight-portal', 'h', now() + interval '1 hour'`,
    every: 10,
  },
  hosted_challenges: {
    columns: 'hash, client_id, account_id, details, expires_at',
    values: `${text('challenge')}, 'app', (${user})::text, '{}', now() + interval '1 hour'`,
    every: 10,
  },
  outbox: {
    columns: `id, kind, payload, idempotency_key, created_at, run_at, attempts, give_up_at, done_at, dead_at,
      last_error`,
    values: `${uuid('job')}, 'otp', '{}', ${text('job key')}, now(), now(), 1, now() + interval '3 days',
      case when i % 10 > 0 then ${ago(30 * DAY)} end,
      case when i % 10 = 0 then ${ago(30 * DAY)} end, case when i % 10 = 0 then 'expired' end`,
  },
  inbox_messages: {
    columns: 'id, idempotency_key, channel, recipient, subject, text, sent_at',
    values: `${uuid('mail')}, ${text('mail key')}, 'email', 'person-' || i || '@crowd.test', 'subject', 'text',
      ${ago(30 * DAY)}`,
    every: 4,
  },
  received_leads: {
    columns: 'idempotency_key, lead, received_at',
    values: `${text('lead')}, jsonb_build_object('email', 'Person-' || i || '@crowd.test', 'firstName', 'Ada'),
      ${ago(30 * DAY)}`,
    every: 4,
  },
  limits: {
    columns: 'key, points, expires_at',
    values: `${text('limit')}, 1, ${ago(DAY)} + interval '1 hour'`,
  },
  // A year of events: the first few batches are due.
  audit_seals: {
    columns: 'seq, row_count, last_hash, newest_at, sealed_at, mac',
    values: `i, 100, 'h', now() - interval '366 days' * (1 - i / $rows::float), now(), 'm'`,
    every: 50,
  },
  audit_events: {
    columns: `at, kind, user_id, visit_id, ip, request_id, subtenant_id, outcome, seal, hash, subject, network`,
    values: `now() - interval '366 days' * (1 - i / $rows::float), 'login.succeeded', ${FIRST_ID} + i / 2,
      md5('visit' || i / 2)::uuid, case when i > 0.92 * $rows::float then '10.0.0.1' end, ${text('event')}, 742, 'success',
      1 + i / 100, 'h', 's', 'n'`,
    every: 1 / 2,
  },
};

/** The tables that are filled. */
export const FILLED: readonly string[] = Object.keys(PARTS);

/**
 * Fills an empty database with accounts and what they leave behind, statistics included. It needs a superuser: triggers
 * are off meanwhile, and indexes are made afterwards.
 * @returns the number of rows
 */
export async function fillDatabase(url: string, { size, passwordHash }: Crowd): Promise<number> {
  const { maintenance, close } = await openDatabase({ url });
  await maintenance(async (db) => {
    await migrate(db);
    await seedDemo(db, createClock(), async () => passwordHash);
  });
  await close();
  // The biggest first: the connections end at about the same time.
  const waiting = Object.entries(PARTS).toSorted(([, a], [, b]) => (a.every ?? 1) - (b.every ?? 1));
  let total = 0;
  const fill = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`set session_replication_role = replica`);
      await client.query(`set maintenance_work_mem = '256MB'`);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [table, part] = next;
        const rows = await fillTable(client, table, part, { size, passwordHash });
        total += rows;
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, fill));
  await inCluster(url, 'vacuum analyze');
  return total;
}

async function fillTable(
  client: pg.Client,
  table: string,
  { columns, values, every = 1 }: Part,
  { size, passwordHash }: Crowd,
): Promise<number> {
  const rows = Math.round(size / every);
  // Rows that go into an index one by one, in no order, are most of the work. Superusers may write catalogs: such an
  // index is left alone by inserts, and `reindex` makes it whole. It is for primary keys, too, which nobody can drop here.
  await client.query(
    `update pg_index set indisready = false, indisvalid = false where indrelid = $1::regclass`,
    [table],
  );
  const own = values.replaceAll('$rows', String(rows));
  const inserted = await client.query(
    `insert into ${table} (${columns}) select ${own} from generate_series(1, ${rows}) as i`,
    values.includes('$1') ? [passwordHash] : [],
  );
  await client.query(`reindex table ${table}`);
  return inserted.rowCount ?? 0;
}
