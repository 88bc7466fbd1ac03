import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExpressionBuilder, Selectable } from 'kysely';
import { XSRF_COOKIE } from '#contract/routes.ts';
import { HOUR_MS } from '#domain/text/duration.ts';
import { recordInRequest } from '../audit/request-context.ts';
import { type Clock, later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import type { Cookies } from '../core/cookies.ts';
import { hashToken, type SecretBox, randomToken } from '../crypto/secret-box.ts';

/** One browser, identified by its cookie (SES-01). */
export type Visit = { readonly id: string; readonly subtenantId: number | null };

/** The caller of a request: the browser and its address. */
export type Caller = {
  readonly visit: Visit;
  readonly ip: string;
  /** The cookies by which an account may know the browser; without them it is unknown. */
  readonly cookies?: Cookies | undefined;
};

/** Returns the caller of a call. */
export const callerOf = (visit: Visit, ip: string, { cookies }: FastifyRequest): Caller => ({
  visit,
  ip,
  cookies,
});

/** A request, and its answer that is being written. */
export type Http = { readonly request: FastifyRequest; readonly reply: FastifyReply };

export type VisitCookie = ReturnType<typeof createVisitCookie>;

const VISIT_COLUMNS = [
  'id',
  'subtenant_id',
  'seen_at',
  'token_hash',
  'previous_hash',
  'previous_until',
] as const satisfies readonly (keyof Tables['visits'])[];

type VisitRow = Pick<Selectable<Tables['visits']>, (typeof VISIT_COLUMNS)[number]>;

/** Reads the visit of a cookie, given as its hash (`ofCookie`). */
export type ReadVisit = (hash: string, now: Date) => Promise<VisitRow | undefined>;

/** Selects the visit of a cookie: the newest one, or the one before it during its grace. */
export const ofCookie =
  (hash: string, now: Date) =>
  ({ and, or, eb }: ExpressionBuilder<Tables, 'visits'>) =>
    or([
      eb('visits.token_hash', '=', hash),
      and([
        eb('visits.previous_hash', '=', hash),
        or([eb('visits.previous_until', 'is', null), eb('visits.previous_until', '>', now)]),
      ]),
    ]);

const LIFE_SECONDS = 30 * 24 * 60 * 60;
/** Milliseconds. Requests that were open when the cookie was renewed still carry the old one. */
const GRACE_MS = 10_000;
/** Writing the last-seen time once an hour is enough to tell live visits from dead ones. */
const SEEN_EVERY_MS = HOUR_MS;

/** Starts a visit. A caller that has no cookie, such as a call between servers, does not keep its token. */
export async function insertVisit(
  db: Db,
  now: Date,
): Promise<{ readonly visit: Visit; readonly token: string }> {
  const visit = { id: randomUUID(), subtenantId: null };
  const token = randomToken();
  await db
    .insertInto('visits')
    .values({
      id: visit.id,
      token_hash: hashToken(token),
      subtenant_id: visit.subtenantId,
      created_at: now,
      seen_at: now,
    })
    .execute();
  return { visit, token };
}

/** Creates the visit cookie: 256 random bits, HttpOnly, Lax, `__Host-` on https; only its hash is stored. */
export function createVisitCookie(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly isHttps: boolean;
  readonly serializeCookie: FastifyInstance['serializeCookie'];
  /**
   * Counts a new visit.
   * @throws AppError TOO_MANY
   */
  readonly takeStart: (ip: string) => Promise<void>;
}) {
  const { db, clock, secretBox, isHttps, serializeCookie, takeStart } = deps;
  const name = isHttps ? '__Host-visit' : 'visit';
  const shared = { path: '/', sameSite: 'lax', secure: isHttps, maxAge: LIFE_SECONDS } as const;
  /** Returns the CSRF token for the forms of a page: it outlives a new cookie, which another tab may get. */
  const formToken = (visit: Visit): string => secretBox.hmac('xsrf', visit.id);
  /** The only format that 0.1.0 accepts: during an update a visitor's requests may reach either release (N4). */
  const cookieToken = (token: string) => secretBox.hmac('xsrf', token);

  const readAlone: ReadVisit = (hash, now) =>
    db.selectFrom('visits').select(VISIT_COLUMNS).where(ofCookie(hash, now)).executeTakeFirst();

  /** Returns the visit of a request, if its cookie is known. `read`: a query that reads more than the visit. */
  async function find(cookies: Cookies, read: ReadVisit = readAlone): Promise<Visit | null> {
    const token = cookies[name];
    if (!token) return null;
    const now = clock.now();
    const hash = hashToken(token);
    const row = await read(hash, now);
    if (!row) return null;
    if (row.token_hash === hash && row.previous_hash !== null && row.previous_until === null) {
      await endPrevious(row.id, now);
    }
    if (now.getTime() - row.seen_at.getTime() > SEEN_EVERY_MS) {
      await db.updateTable('visits').set({ seen_at: now }).where('id', '=', row.id).execute();
    }
    recordInRequest({ visitId: row.id, subtenantId: row.subtenant_id });
    return { id: row.id, subtenantId: row.subtenant_id };
  }

  /** Ends the old cookie after the new one has arrived: until then the browser may have only the old one. */
  async function endPrevious(id: string, now: Date): Promise<void> {
    await db
      .updateTable('visits')
      .set({ previous_until: later(now, GRACE_MS) })
      .where('id', '=', id)
      .where('previous_until', 'is', null)
      .execute();
  }

  /** @returns the new cookie, or null when the old one belongs to no visit */
  async function renewed(oldToken: string | undefined): Promise<string | null> {
    const old = hashToken(oldToken ?? '');
    const token = randomToken();
    const row = await db
      .updateTable('visits')
      .set({ token_hash: hashToken(token), previous_hash: old, previous_until: null })
      // Of two concurrent requests, one renews; the other one's cookie is the old one by then.
      .where('token_hash', '=', old)
      .returning('id')
      .executeTakeFirst();
    return row ? token : null;
  }

  /** Returns the token of the visit cookie, known or not. */
  const tokenIn = ({ [name]: token }: Cookies): string | null => token || null;

  return {
    find,
    tokenIn,
    /**
     * Returns the visit of a request, or a new one with its cookies. `found`: the result of `find`.
     * @throws AppError TOO_MANY
     */
    async ensure(
      request: FastifyRequest,
      reply: FastifyReply,
      found?: Visit | null,
    ): Promise<Visit> {
      const known = found === undefined ? await find(request.cookies) : found;
      if (known) {
        const xsrf = cookieToken(request.cookies[name] ?? '');
        if (request.cookies[XSRF_COOKIE] !== xsrf) reply.setCookie(XSRF_COOKIE, xsrf, shared);
        return known;
      }
      await takeStart(request.ip);
      const { visit, token } = await insertVisit(db, clock.now());
      recordInRequest({ visitId: visit.id });
      reply.setCookie(name, token, { ...shared, httpOnly: true });
      reply.setCookie(XSRF_COOKIE, cookieToken(token), shared);
      return visit;
    },
    /** Gives the visit of a request a new cookie, because its rights change (R8, decision 091). */
    async renew({ cookies }: FastifyRequest, reply: FastifyReply): Promise<void> {
      const token = await renewed(cookies[name]);
      if (!token) return;
      reply.setCookie(name, token, { ...shared, httpOnly: true });
      reply.setCookie(XSRF_COOKIE, cookieToken(token), shared);
    },
    /**
     * Does the same as `renew` for an answer that Fastify does not write.
     * @returns its Set-Cookie lines
     */
    async renewFor(cookies: Cookies): Promise<readonly string[]> {
      const token = await renewed(cookies[name]);
      if (!token) return [];
      return [
        serializeCookie(name, token, { ...shared, httpOnly: true }),
        serializeCookie(XSRF_COOKIE, cookieToken(token), shared),
      ];
    },
    formToken,
    isOwnXsrf,
    /** Returns whether the field `xsrf` of a form has that token. */
    isOwnForm(visit: Visit, cookies: Cookies, sent: FormData): boolean {
      const token = sent.get('xsrf');
      return typeof token === 'string' && token !== '' && isOwnXsrf(visit, cookies, token);
    },
  };

  /** Returns whether this is the CSRF token of the visit's forms, or that of its cookie. */
  function isOwnXsrf(visit: Visit, cookies: Cookies, sent: string): boolean {
    return [visit.id, cookies[name] ?? ''].some((of) => secretBox.verifyHmac('xsrf', of, sent));
  }
}
