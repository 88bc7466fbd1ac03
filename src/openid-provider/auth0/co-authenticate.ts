/** POST /co/authenticate: Auth0's cross-origin authentication, with a password or a passwordless code (IDP-02). */

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import type { Accounts, Visitor } from '../ports.ts';
import type { OAuthClient } from '../client-port.ts';
import { isJson, readJsonObject } from '../request-body.ts';
import { mayUse } from '../grants.ts';
import { refuse, refuseTooMany, refuseUnverified, WRONG_PASSWORD } from './answers.ts';
import type { LoginTickets } from './login-ticket.ts';
import type { Passwordless } from './passwordless.ts';

/** The lengths prevent abuse; the password rules applied when the password was set. PostgreSQL stores no NUL. */
const userName = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .regex(/^[^\0]*$/);

const credentialsSchema = z.object({
  client_id: z.string().max(200),
  credential_type: z.enum(['http://auth0.com/oauth/grant-type/password-realm', 'password']),
  username: userName,
  password: z.string().min(1).max(1024),
});

const codeSchema = z.object({
  credential_type: z.literal('http://auth0.com/oauth/grant-type/passwordless/otp'),
  username: userName,
  otp: z.string().min(1).max(20),
  realm: z.enum(['email', 'sms']),
});

type OneTimeCode = z.infer<typeof codeSchema>;
type Credentials = z.infer<typeof credentialsSchema>;

type Dependencies = {
  readonly accounts: Accounts;
  readonly clients: ClientDirectory;
  readonly tickets: LoginTickets;
  readonly passwordless: Pick<Passwordless, 'consume'>;
  readonly visitorOf: (ctx: Context) => Visitor;
};

export type CoAuthenticate = ReturnType<typeof createCoAuthenticate>;

function allowOrigin(ctx: Context, origin: string): void {
  ctx.vary('Origin');
  ctx.set('Access-Control-Allow-Origin', origin);
  ctx.set('Access-Control-Allow-Credentials', 'true');
}

/** Creates the handler of /co/authenticate. */
export function createCoAuthenticate({
  accounts,
  clients,
  tickets,
  passwordless,
  visitorOf,
}: Dependencies) {
  async function check(ctx: Context, client: OAuthClient, credentials: Credentials): Promise<void> {
    const verdict = await accounts.verifyPassword(
      credentials.username,
      credentials.password,
      visitorOf(ctx),
    );
    if (verdict.kind === 'blocked') return refuseTooMany(ctx, verdict.retryAfterSeconds);
    if (verdict.kind === 'proofNeeded') return refuseUnverified(ctx);
    if (verdict.kind === 'wrong') return refuse(ctx, 403, 'access_denied', WRONG_PASSWORD);
    answerTicket(ctx, await tickets.issue(ctx, verdict.accountId, client));
  }

  /** Checks the code of a passwordless start, for clients that may use one. */
  async function checkCode(ctx: Context, client: OAuthClient, given: OneTimeCode) {
    if (!mayUse(client, 'passwordless')) {
      return refuse(ctx, 403, 'unauthorized_client', 'Passwordless sign-in is not allowed.');
    }
    const verdict = await passwordless.consume(ctx, client, given.realm, given.username, given.otp);
    if (verdict.kind === 'blocked') return refuseTooMany(ctx, verdict.retryAfterSeconds);
    if (verdict.kind === 'wrong') {
      return refuse(ctx, 403, 'access_denied', 'Wrong email or verification code.');
    }
    answerTicket(ctx, await tickets.issue(ctx, verdict.accountId, client, ['otp']));
  }

  function answerTicket(ctx: Context, loginTicket: string): void {
    // Auth0's fallback page needs co_verifier and co_id; here they are filler. The HttpOnly cookie binds the ticket to
    // the browser, and no script can read it.
    ctx.body = {
      login_ticket: loginTicket,
      co_verifier: randomBytes(24).toString('base64url'),
      co_id: randomBytes(12).toString('base64url'),
    };
  }

  return {
    async preflight(ctx: Context): Promise<void> {
      const origin = ctx.get('Origin');
      ctx.status = 204;
      if (!(await clients.isKnownOrigin(origin))) return;
      allowOrigin(ctx, origin);
      ctx.set('Access-Control-Allow-Methods', 'POST');
      ctx.set('Access-Control-Allow-Headers', 'content-type, auth0-client, authorization');
      ctx.set('Access-Control-Max-Age', '600');
    },

    /** Checks client and origin first, so that other pages cannot test passwords. */
    async authenticate(ctx: Context): Promise<void> {
      const origin = ctx.get('Origin');
      if (!isJson(ctx.req)) return refuse(ctx, 415, 'invalid_request', 'The body must be JSON.');
      const body = await readJsonObject(ctx.req);
      const client = await clients.find(body.client_id);
      if (!client) return refuse(ctx, 401, 'unauthorized', 'Unknown client.');
      if (!clients.mayPostFrom(client, origin)) {
        return refuse(ctx, 403, 'unauthorized_client', 'Cross origin login not allowed.');
      }
      allowOrigin(ctx, origin);
      const code = codeSchema.safeParse(body);
      if (code.success) return checkCode(ctx, client, code.data);
      const credentials = credentialsSchema.safeParse(body);
      if (!credentials.success)
        return refuse(ctx, 400, 'invalid_request', 'A field is missing or malformed.');
      return check(ctx, client, credentials.data);
    },
  };
}
