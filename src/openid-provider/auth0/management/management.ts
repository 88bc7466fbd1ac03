/** `<issuer>api/v2/`: the part of Auth0's Management API that applications need (IDP-10). */

import type { z } from 'zod';
import type { ClientDirectory } from '../../clients.ts';
import type { Context } from '../../context.ts';
import { allowOrigin, answerPreflight } from '../../cross-origin.ts';
import { readJsonObject } from '../../request-body.ts';
import { parameterText } from '../../text.ts';
import type { Actor, TicketRequest, UserDirectory, UserOutcome } from '../../user-directory.ts';
import { type Caller, requireScope, requireMachineScope } from './caller.ts';
import type { StoredPayload } from '../../store-port.ts';
import type { FindSession } from '../../sessions.ts';
import { toLog, toSessionList } from './logs.ts';
import { NO_TICKET, ticketSchema, toTicket } from './tickets.ts';
import { ManagementProblem } from './problems.ts';
import {
  byEmailQuery,
  laterLogsQuery,
  logsQuery,
  noQuery,
  oneUserQuery,
  checkedQuery,
  sessionsQuery,
  shownBy,
  userLogsQuery,
  usersQuery,
} from './query.ts';
import {
  changeSchema,
  newUserNames,
  newUserSchema,
  ownChangeSchema,
  toIdentities,
  toOwnProfile,
  toProfile,
} from './profile.ts';

const PREFIX = '/api/v2/';
/** The scopes that link and unlink accounts. */
const IDENTITIES = { person: ['update:current_user_identities'], machine: 'update:users' } as const;
/** More accounts than one address has, with those that are linked. */
const MOST_OF_ONE_ADDRESS = 100;

type Dependencies = {
  readonly users: UserDirectory;
  readonly clients: ClientDirectory;
  readonly callerOf: (ctx: Context) => Promise<Caller>;
  /** The account that an ID token of this caller's client proves to have signed in recently; null otherwise. */
  readonly provenBy: (idToken: string, caller: Caller) => Promise<string | null>;
  /** The stored sessions of an account. */
  readonly sessionsOf: (accountId: string) => Promise<readonly StoredPayload[]>;
  /** One session, by its public name. */
  readonly findSession: FindSession;
  readonly clientIp: (ctx: Context) => string;
};

type Call = {
  readonly ctx: Context;
  readonly caller: Caller;
  readonly actor: Actor;
  readonly userId: string;
  readonly otherId: string;
};

type Handler = (call: Call) => Promise<unknown>;

/** `scope`: of a machine's token; `null`: the handler asks, because a person's own token may be enough. */
type Route = readonly [method: string, path: string, scope: string | null, handler: Handler];

const notFound = (): ManagementProblem =>
  new ManagementProblem(404, 'inexistent_user', 'The user does not exist.');

const badPassword = (message: string): ManagementProblem =>
  new ManagementProblem(400, 'auth0_idp_error', message);

/**
 * Returns the changed user.
 * @throws ManagementProblem for every other outcome
 */
function done(outcome: UserOutcome) {
  switch (outcome.kind) {
    case 'done':
      return outcome.user;
    case 'unknown':
      throw notFound();
    case 'exists':
      throw new ManagementProblem(409, 'auth0_idp_error', 'The user already exists.');
    case 'weakPassword':
      throw badPassword('PasswordStrengthError: Password is too weak');
    case 'guessablePassword':
      throw badPassword('PasswordDictionaryError: Password is too common');
    case 'invalid':
      throw new ManagementProblem(400, 'invalid_body', 'Payload validation error');
  }
}

async function checkedBody<T extends z.ZodType>(ctx: Context, schema: T): Promise<z.infer<T>> {
  const parsed = schema.safeParse(await readJsonObject(ctx.req).catch(() => null));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'body';
  throw new ManagementProblem(400, 'invalid_body', `Payload validation error: ${where}`);
}

/** Returns the head of a page with totals, as Auth0 writes it. */
const totalsOf = (
  { page, per_page: limit }: { readonly page: number; readonly per_page: number },
  total: number | null | undefined,
  { length }: readonly unknown[],
) => ({ start: page * limit, limit, length, total });

function createRoutes({
  users,
  provenBy,
  sessionsOf,
  findSession,
}: Dependencies): readonly Route[] {
  const read: Handler = async ({ ctx, caller, userId }) => {
    requireScope(caller, userId, { person: ['read:current_user'], machine: 'read:users' });
    const show = shownBy(checkedQuery(ctx, oneUserQuery));
    const user = await users.find(userId);
    if (!user) throw notFound();
    return show(caller.accountId === null ? toProfile(user) : toOwnProfile(user));
  };

  const change: Handler = async ({ ctx, caller, actor, userId }) => {
    const person = ['update:current_user_metadata', 'create:current_user_metadata'];
    requireScope(caller, userId, { person, machine: 'update:users' });
    if (caller.accountId !== null) {
      const { user_metadata: userMetadata } = await checkedBody(ctx, ownChangeSchema);
      return toOwnProfile(done(await users.update(userId, { userMetadata }, actor)));
    }
    const body = await checkedBody(ctx, changeSchema);
    const changed = await users.update(
      userId,
      {
        givenName: body.given_name,
        familyName: body.family_name,
        isBlocked: body.blocked,
        isEmailVerified: body.email_verified,
        userMetadata: body.user_metadata,
        appMetadata: body.app_metadata,
        password: body.password,
      },
      actor,
    );
    return toProfile(done(changed));
  };

  const create: Handler = async ({ ctx, actor }) => {
    const body = await checkedBody(ctx, newUserSchema);
    const created = await users.create(
      {
        email: body.email,
        password: body.password,
        isEmailVerified: body.email_verified,
        ...newUserNames(body),
        phone: body.phone_number ?? null,
        userMetadata: body.user_metadata,
        appMetadata: body.app_metadata,
      },
      actor,
    );
    ctx.status = 201;
    return toProfile(done(created));
  };

  const list: Handler = async ({ ctx }) => {
    const query = checkedQuery(ctx, usersQuery);
    const { page, per_page: perPage } = query;
    const isNewestFirst = query.sort === 'created_at:-1';
    const found = await users.list({ email: query.q, page, perPage, isNewestFirst });
    const show = shownBy(query);
    const profiles = found.users.map((user) => show(toProfile(user)));
    if (!query.include_totals) return profiles;
    return { ...totalsOf(query, found.total, profiles), users: profiles };
  };

  const byEmail: Handler = async ({ ctx }) => {
    const { email, ...query } = checkedQuery(ctx, byEmailQuery);
    const all = { page: 0, perPage: MOST_OF_ONE_ADDRESS, isNewestFirst: false };
    const found = await users.list({ email, ...all });
    const show = shownBy(query);
    return found.users.map((user) => show(toProfile(user)));
  };

  const link: Handler = async ({ ctx, caller, actor, userId }) => {
    requireScope(caller, userId, IDENTITIES);
    const body = await readJsonObject(ctx.req);
    const otherId =
      caller.accountId === null
        ? parameterText(body.user_id)
        : await provenBy(parameterText(body.link_with), caller);
    if (!otherId) {
      const why = 'Both accounts must have signed in just now.';
      throw new ManagementProblem(400, 'invalid_token', why);
    }
    ctx.status = 201;
    return toIdentities(done(await users.link(userId, otherId, actor)));
  };

  const unlink: Handler = async ({ caller, actor, userId, otherId }) => {
    requireScope(caller, userId, IDENTITIES);
    return toIdentities(done(await users.unlink(userId, otherId, actor)));
  };

  const remove: Handler = async ({ ctx, actor, userId }) => {
    // Auth0 answers the same for an unknown user.
    await users.remove(userId, actor);
    ctx.status = 204;
  };

  const logs: Handler = async ({ ctx, userId }) => {
    const query = checkedQuery(ctx, userLogsQuery);
    const { page, per_page: perPage } = query;
    const found = await users.events(userId, { page, perPage });
    const entries = found.events.map(toLog);
    if (!query.include_totals) return entries;
    return { ...totalsOf(query, found.total, entries), logs: entries };
  };

  const listSessions: Handler = async ({ ctx, userId }) => {
    const query = checkedQuery(ctx, sessionsQuery);
    if (!(await users.find(userId))) throw notFound();
    return toSessionList(await sessionsOf(userId), query);
  };

  const endSessions: Handler = async ({ ctx, actor, userId }) => {
    if (!(await users.endSessions(userId, actor))) throw notFound();
    ctx.status = 202;
  };

  const allLogs: Handler = async ({ ctx }) => {
    if (ctx.query.from !== undefined) {
      const { from: after, take, ...query } = checkedQuery(ctx, laterLogsQuery);
      const found = await users.allEvents({ after, take });
      return found.events.map(toLog).map(shownBy(query));
    }
    const query = checkedQuery(ctx, logsQuery);
    const { page, per_page: perPage, include_totals: isCounted } = query;
    const found = await users.allEvents({ page, perPage, isCounted });
    const entries = found.events.map(toLog).map(shownBy(query));
    if (!isCounted) return entries;
    return { ...totalsOf(query, found.total, entries), logs: entries };
  };

  const oneLog: Handler = async ({ ctx, userId: logId }) => {
    checkedQuery(ctx, noQuery);
    const event = await users.findEvent(logId);
    if (!event) throw new ManagementProblem(404, 'inexistent_log', 'The log does not exist.');
    return toLog(event);
  };

  const noSession = () =>
    new ManagementProblem(404, 'inexistent_session', 'The session does not exist.');

  const oneSession: Handler = async ({ ctx, userId: sessionId }) => {
    checkedQuery(ctx, noQuery);
    const [session] = toSessionList([(await findSession(sessionId)) ?? {}]).sessions;
    if (!session) throw noSession();
    return session;
  };

  const endOneSession: Handler = async ({ ctx, actor, userId: sessionId }) => {
    const session = await findSession(sessionId);
    if (!session?.accountId) throw noSession();
    await users.endSession(session.accountId, sessionId, actor);
    ctx.status = 202;
  };

  const ticket =
    (kind: TicketRequest['kind']): Handler =>
    async ({ ctx, actor }) => {
      const asked = toTicket(kind, await checkedBody(ctx, ticketSchema));
      const made = await users.createTicket(asked, actor);
      if (made.kind === 'unknown') throw notFound();
      if (made.kind !== 'made') {
        throw new ManagementProblem(400, 'invalid_body', NO_TICKET[kind][made.kind]);
      }
      ctx.status = 201;
      return { ticket: made.url };
    };

  return [
    ['GET', 'users', 'read:users', list],
    ['POST', 'users', 'create:users', create],
    ['GET', 'users-by-email', 'read:users', byEmail],
    ['GET', 'users/:id', null, read],
    ['PATCH', 'users/:id', null, change],
    ['DELETE', 'users/:id', 'delete:users', remove],
    ['GET', 'users/:id/logs', 'read:logs', logs],
    ['GET', 'users/:id/sessions', 'read:sessions', listSessions],
    ['DELETE', 'users/:id/sessions', 'delete:sessions', endSessions],
    ['GET', 'logs', 'read:logs', allLogs],
    ['GET', 'logs/:id', 'read:logs', oneLog],
    ['GET', 'sessions/:id', 'read:sessions', oneSession],
    ['DELETE', 'sessions/:id', 'delete:sessions', endOneSession],
    ['POST', 'tickets/password-change', 'create:user_tickets', ticket('password')],
    ['POST', 'tickets/email-verification', 'create:user_tickets', ticket('email')],
    ['POST', 'users/:id/identities', null, link],
    ['DELETE', 'users/:id/identities/auth0/:other', null, unlink],
  ];
}

/** Creates the handler of everything under api/v2/; it returns false for other paths. */
export function createManagement(deps: Dependencies): (ctx: Context) => Promise<boolean> {
  const { users, clients, callerOf, clientIp } = deps;
  const routes = createRoutes(deps).map(([method, path, scope, handler]) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]{1,64})')}$`),
    scope,
    handler,
  }));

  function routeOf(ctx: Context) {
    const path = ctx.path.slice(PREFIX.length);
    for (const { method, pattern, ...route } of routes) {
      const match = method === ctx.method ? pattern.exec(path) : null;
      if (!match) continue;
      const [userId = '', otherId = ''] = match.slice(1).map((part) => decodeURIComponent(part));
      return { ...route, userId, otherId };
    }
    return null;
  }

  async function answer(ctx: Context): Promise<void> {
    const caller = await callerOf(ctx);
    allowOrigin(ctx, clients, caller.client);
    const { accountId, client } = caller;
    const actor = { clientId: client.clientId, accountId, ip: clientIp(ctx) };
    const waitSeconds = await users.countCall(actor);
    if (waitSeconds > 0) {
      ctx.set('Retry-After', String(waitSeconds));
      throw new ManagementProblem(429, 'too_many_requests', 'Global limit has been reached');
    }
    const route = routeOf(ctx);
    if (!route) throw new ManagementProblem(404, 'not_found', 'Not Found');
    if (route.scope !== null) requireMachineScope(caller, route.scope);
    ctx.status = 200;
    const body = await route.handler({ ...route, ctx, caller, actor });
    if (body === undefined) {
      // Koa answers an empty body with 204.
      const { status } = ctx;
      ctx.body = null;
      ctx.status = status;
    } else ctx.body = body;
  }

  return async (ctx) => {
    if (!ctx.path.startsWith(PREFIX)) return false;
    if (ctx.method === 'OPTIONS') {
      await answerPreflight(ctx, clients, 'GET, POST, PATCH, DELETE');
      return true;
    }
    try {
      await answer(ctx);
    } catch (error) {
      const problem =
        error instanceof URIError ? new ManagementProblem(404, 'not_found', 'Not Found') : error;
      if (!(problem instanceof ManagementProblem)) throw problem;
      ctx.status = problem.status;
      ctx.body = problem.body;
    }
    return true;
  };
}
