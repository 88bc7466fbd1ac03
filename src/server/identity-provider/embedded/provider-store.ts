/**
 * The provider's port `ProviderStore` over kysely; the same SQL on PGlite and PostgreSQL 15 to 18. The statements are
 * constants, because building them at each call costs time (performance S5).
 */

import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import type { AccountClaims } from '#openid-provider/claims.ts';
import type {
  ChallengeRecord,
  FoundRecord,
  ProviderStore,
  StoredRecord,
  TicketRecord,
} from '#openid-provider/store-port.ts';
import type { ProviderTables } from '../../db/schema.ts';

/** Both times are the database's: the clocks of several instances may differ. */
const agoIn = (table: string) =>
  `(extract(epoch from clock_timestamp() - ${table}.consumed_at) * 1000)::float8 AS "consumedAgoMs"`;
const FOUND = `SELECT id, payload, consumed_at AS "consumedAt", ${agoIn('hosted_payloads')} FROM hosted_payloads`;
/** Judged by the shared database's clock: a slow machine clock revives nothing (R44, decision 092). */
const livesIn = (table: string) =>
  `(${table}.expires_at IS NULL OR ${table}.expires_at > clock_timestamp())`;
const LIVES = livesIn('hosted_payloads');
const EXPIRY = `clock_timestamp() + $8::float8 * interval '1 second'`;
const CHALLENGE = `hash, client_id AS "clientId", account_id AS "accountId", handle, details, expires_at AS "expiresAt"`;

const SQL = {
  // Several records of one request. A session is only updated: one that was deleted meanwhile stays deleted.
  save: `WITH given AS (
      SELECT model, id, payload::jsonb AS payload, grant_id, uid, user_code, account_id,
        clock_timestamp() + seconds * interval '1 second' AS expires_at, is_update
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::bool[])
        AS given (model, id, payload, grant_id, uid, user_code, account_id, seconds, is_update)
    ), updated AS (
      UPDATE hosted_payloads AS old SET payload = given.payload, grant_id = given.grant_id, uid = given.uid,
        user_code = given.user_code, account_id = given.account_id, expires_at = given.expires_at
      FROM given WHERE given.is_update AND old.model = given.model AND old.id = given.id
    )
    INSERT INTO hosted_payloads (model, id, payload, grant_id, uid, user_code, account_id, expires_at)
    SELECT model, id, payload, grant_id, uid, user_code, account_id, expires_at FROM given WHERE NOT is_update
    ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    user_code = excluded.user_code, account_id = excluded.account_id, expires_at = excluded.expires_at`,
  insert: `INSERT INTO hosted_payloads (model, id, payload, grant_id, uid, user_code, account_id, expires_at)
    VALUES ($1, $2, $3::text::jsonb, $4, $5, $6, $7, ${EXPIRY}) ON CONFLICT (model, id) DO NOTHING RETURNING id`,
  find: `${FOUND} WHERE model = $1 AND id = $2 AND ${LIVES}`,
  findByUid: `${FOUND} WHERE model = $1 AND uid = $2 AND ${LIVES}`,
  findByUserCode: `${FOUND} WHERE model = $1 AND user_code = $2 AND ${LIVES}`,
  consume: `UPDATE hosted_payloads SET consumed_at = now() WHERE model = $1 AND id = $2 AND consumed_at IS NULL RETURNING id`,
  destroy: `DELETE FROM hosted_payloads WHERE model = $1 AND id = $2`,
  revokeByGrantId: `DELETE FROM hosted_payloads WHERE model = $1 AND grant_id = $2`,
  listByAccount: `SELECT payload FROM hosted_payloads WHERE model = $1 AND account_id = $2`,
  destroyByAccountAndClient: `DELETE FROM hosted_payloads WHERE account_id = $1 AND payload ->> 'clientId' = $2`,
  // One statement, so that a reset deletes all or nothing.
  destroyByAccount: `WITH tickets AS (DELETE FROM hosted_tickets WHERE account_id = $1),
    challenges AS (DELETE FROM hosted_challenges WHERE account_id = $1)
    DELETE FROM hosted_payloads WHERE account_id = $1 AND model = coalesce($2, model)`,
  addTicket: `INSERT INTO hosted_tickets (hash, account_id, client_id, co_id_hash, expires_at, amr)
    VALUES ($1, $2, $3, $4, $5, $6)`,
  takeTicket: `DELETE FROM hosted_tickets WHERE hash = $1 RETURNING hash, account_id AS "accountId",
    client_id AS "clientId", co_id_hash AS "coIdHash", amr, expires_at AS "expiresAt"`,
  putChallenge: `INSERT INTO hosted_challenges (hash, client_id, account_id, handle, details, expires_at)
    VALUES ($1, $2, $3, $4, $5::text::jsonb, $6) ON CONFLICT (hash) DO UPDATE SET client_id = excluded.client_id,
    account_id = excluded.account_id, handle = excluded.handle, details = excluded.details, expires_at = excluded.expires_at`,
  recordSentCode: `UPDATE hosted_challenges SET handle = $2 WHERE hash = $1 RETURNING hash`,
  findChallenge: `SELECT ${CHALLENGE} FROM hosted_challenges WHERE hash = $1`,
  countTry: `UPDATE hosted_challenges
    SET details = details || jsonb_build_object('tries', (coalesce(details ->> 'tries', '0')::int + $2::int)::text)
    WHERE hash = $1`,
  takeChallenge: `DELETE FROM hosted_challenges WHERE hash = $1 RETURNING ${CHALLENGE}`,
} as const;

/** A record with the rows that decide on it: a session and a grant are never used up. */
const JUDGED_BY = `judge.id AS "sessionId", judge.payload AS session, given.id AS "grantId", given.payload AS "grant"`;
const isGrant = (id: string) =>
  `LEFT JOIN hosted_payloads AS given ON given.model = 'Grant' AND given.id = ${id} AND ${livesIn('given')}`;

const findCode = ({ columns, join }: Beside) => `
  SELECT code.id AS "codeId", code.payload, code.consumed_at AS "consumedAt", ${agoIn('code')}, ${JUDGED_BY}, ${columns}
  FROM hosted_payloads AS code
  LEFT JOIN hosted_payloads AS judge
    ON judge.model = 'Session' AND judge.uid = code.payload ->> 'sessionUid' AND ${livesIn('judge')}
  ${isGrant('code.grant_id')}
  ${join('code.account_id')}
  WHERE code.model = 'AuthorizationCode' AND code.id = $1 AND ${livesIn('code')}`;

const findSession = ({ columns, join }: Beside) => `
  SELECT ${JUDGED_BY}, ${columns}
  FROM hosted_payloads AS judge
  ${isGrant(`judge.payload -> 'authorizations' -> $2::text ->> 'grantId'`)}
  ${join('judge.account_id')}
  WHERE judge.model = 'Session' AND judge.id = $1 AND ${livesIn('judge')}`;

/** The account of a record, read in the same statement. */
export type Beside = {
  readonly columns: string;
  /** Joins the account of an id. */
  readonly join: (accountId: string) => string;
  /** Returns the claims of the joined columns; `undefined` when no account was joined. */
  readonly claims: (row: object) => AccountClaims | null | undefined;
};

const NO_ACCOUNT: Beside = { columns: 'NULL', join: () => '', claims: () => undefined };

type JudgedRow = {
  readonly sessionId: string | null;
  readonly session: Record<string, unknown>;
  readonly grantId: string | null;
  readonly grant: Record<string, unknown>;
};

const unused = (id: string | null, payload: Record<string, unknown>): FoundRecord | null =>
  id === null ? null : { id, payload, consumed: null, consumedAgoMs: null };

type FoundRow = {
  readonly id: string;
  readonly payload: Record<string, unknown>;
  readonly consumedAt: Date | null;
  readonly consumedAgoMs: number | null;
};

function toFound(row: FoundRow | undefined): FoundRecord | null {
  if (!row) return null;
  const { id, payload, consumedAt, consumedAgoMs } = row;
  const consumed = consumedAt ? Math.floor(consumedAt.getTime() / 1000) : null;
  return { id, payload, consumed, consumedAgoMs };
}

const values = (record: StoredRecord): unknown[] => [
  record.model,
  record.id,
  JSON.stringify(record.payload),
  record.grantId,
  record.uid,
  record.userCode,
  record.accountId,
  record.secondsToLive,
];

/** The part of kysely that is used, so that a database with more tables fits too. */
type Runner = Pick<Kysely<ProviderTables>, 'executeQuery'>;

/** Creates the store of sessions, codes, tokens and tickets, shared by all instances (ARC-04). */
export function createProviderStore(db: Runner, beside: Beside = NO_ACCOUNT): ProviderStore {
  const judged = { code: findCode(beside), session: findSession(beside) };
  async function rows<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return (await db.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;
  }
  const run = async (sql: string, parameters: readonly unknown[]): Promise<void> => {
    await rows(sql, parameters);
  };
  const found = async (sql: string, parameters: readonly unknown[]): Promise<FoundRecord | null> =>
    toFound((await rows<FoundRow>(sql, parameters))[0]);

  const besideOf = (row: JudgedRow) => {
    const claims = beside.claims(row);
    return { grant: unused(row.grantId, row.grant), ...(claims !== undefined && { claims }) };
  };

  return {
    payloads: {
      save(records) {
        const given = records.map(({ record, isUpdate }) => [...values(record), isUpdate]);
        return run(
          SQL.save,
          Array.from({ length: 9 }, (_, at) => given.map((each) => each[at])),
        );
      },
      async findCode(id) {
        type Row = Omit<FoundRow, 'id'> & JudgedRow & { readonly codeId: string };
        const [row] = await rows<Row>(judged.code, [id]);
        const code = row && toFound({ ...row, id: row.codeId });
        if (!code) return null;
        return { code, session: unused(row.sessionId, row.session), ...besideOf(row) };
      },
      async findSession(id, clientId) {
        const [row] = await rows<JudgedRow>(judged.session, [id, clientId]);
        const session = row && unused(row.sessionId, row.session);
        return session ? { session, ...besideOf(row) } : null;
      },
      insert: async (record) => (await rows(SQL.insert, values(record))).length === 1,
      find: (model, id) => found(SQL.find, [model, id]),
      findByUid: (model, uid) => found(SQL.findByUid, [model, uid]),
      findByUserCode: (model, userCode) => found(SQL.findByUserCode, [model, userCode]),
      consume: async (model, id) => (await rows(SQL.consume, [model, id])).length === 1,
      destroy: (model, id) => run(SQL.destroy, [model, id]),
      revokeByGrantId: (model, grantId) => run(SQL.revokeByGrantId, [model, grantId]),
      listByAccount: async (model, accountId) =>
        (await rows<Pick<FoundRow, 'payload'>>(SQL.listByAccount, [model, accountId])).map(
          (row) => row.payload,
        ),
      destroyByAccountAndClient: (accountId, clientId) =>
        run(SQL.destroyByAccountAndClient, [accountId, clientId]),
      destroyByAccount: (accountId, model) => run(SQL.destroyByAccount, [accountId, model ?? null]),
    },
    tickets: {
      add: (ticket) =>
        run(SQL.addTicket, [
          ticket.hash,
          ticket.accountId,
          ticket.clientId,
          ticket.coIdHash,
          ticket.expiresAt,
          ticket.amr,
        ]),
      take: async (hash) => (await rows<TicketRecord>(SQL.takeTicket, [hash]))[0] ?? null,
    },
    challenges: {
      put: (challenge) =>
        run(SQL.putChallenge, [
          challenge.hash,
          challenge.clientId,
          challenge.accountId,
          challenge.handle,
          JSON.stringify(challenge.details),
          challenge.expiresAt,
        ]),
      recordSentCode: async (hash, handle) =>
        (await rows(SQL.recordSentCode, [hash, handle])).length === 1,
      find: async (hash) => (await rows<ChallengeRecord>(SQL.findChallenge, [hash]))[0] ?? null,
      countTry: (hash, by) => run(SQL.countTry, [hash, by]),
      take: async (hash) => (await rows<ChallengeRecord>(SQL.takeChallenge, [hash]))[0] ?? null,
    },
  };
}
