import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { XSRF_COOKIE } from '#contract/routes.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { hashToken, type SecretBox, randomToken } from '../crypto/secret-box.ts';

/** One browser, known by its cookie (SES-01). */
export type Visit = { readonly id: string; readonly subtenantId: number | null };

/** Who calls: the browser and its address. */
export type Caller = { readonly visit: Visit; readonly ip: string };

export type VisitCookie = {
  /** The visit of a request, if its cookie is known. */
  find(cookies: Cookies): Promise<Visit | null>;
  /** The visit of a request; a new one with its cookies when there is none. */
  ensure(request: FastifyRequest, reply: FastifyReply): Promise<Visit>;
  /** Knows the CSRF token that belongs to this request's cookie; `null` without a cookie. */
  xsrfCheck(cookies: Cookies): ((sent: string) => boolean) | null;
  /** The visit named by a raw Cookie header. */
  findByHeader(cookieHeader: string | undefined): Promise<Visit | null>;
};

type Cookies = Readonly<Record<string, string | undefined>>;

const LIFE_SECONDS = 30 * 24 * 60 * 60;
/** Writing the last-seen moment once an hour is enough to tell living visits from dead ones. */
const SEEN_EVERY_MS = 60 * 60 * 1000;

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

/** The visit cookie: 256 random bits, HttpOnly, Lax, `__Host-` on https; only its hash is stored. */
export function createVisitCookie(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly isHttps: boolean;
}): VisitCookie {
  const { db, clock, secretBox, isHttps } = deps;
  const name = isHttps ? '__Host-visit' : 'visit';
  const shared = { path: '/', sameSite: 'lax', secure: isHttps, maxAge: LIFE_SECONDS } as const;
  const xsrfOf = (token: string) => secretBox.hmac('xsrf', token);

  async function find(cookies: Cookies): Promise<Visit | null> {
    const token = cookies[name];
    if (!token) return null;
    const row = await db
      .selectFrom('visits')
      .select(['id', 'subtenant_id', 'seen_at'])
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst();
    if (!row) return null;
    const now = clock.now();
    if (now.getTime() - row.seen_at.getTime() > SEEN_EVERY_MS) {
      await db.updateTable('visits').set({ seen_at: now }).where('id', '=', row.id).execute();
    }
    return { id: row.id, subtenantId: row.subtenant_id };
  }

  return {
    find,
    async ensure(request, reply) {
      const known = await find(request.cookies);
      if (known) {
        const xsrf = xsrfOf(request.cookies[name] ?? '');
        if (request.cookies[XSRF_COOKIE] !== xsrf) reply.setCookie(XSRF_COOKIE, xsrf, shared);
        return known;
      }
      const { visit, token } = await insertVisit(db, clock.now());
      reply.setCookie(name, token, { ...shared, httpOnly: true });
      reply.setCookie(XSRF_COOKIE, xsrfOf(token), shared);
      return visit;
    },
    xsrfCheck(cookies) {
      const token = cookies[name];
      return token ? (sent) => secretBox.verifyHmac('xsrf', token, sent) : null;
    },
    async findByHeader(cookieHeader) {
      const pair = (cookieHeader ?? '').split(/;\s*/).find((part) => part.startsWith(`${name}=`));
      return pair ? find({ [name]: decodeURIComponent(pair.slice(name.length + 1)) }) : null;
    },
  };
}
