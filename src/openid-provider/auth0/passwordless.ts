/**
 * Auth0's passwordless sign-in, with codes only: /passwordless/start, verify, verify_redirect, and the grant. The
 * operator enables it per client, and only those clients accept such a session (factors.ts, decision 028).
 */

import { randomBytes } from 'node:crypto';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { z } from 'zod';
import { canonicalEmail } from '#domain/typed/validation.ts';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { allowOrigin } from '../cross-origin.ts';
import type { IssueTokens } from '../non-browser-tokens.ts';
import { mayUse, PASSWORDLESS } from '../grants.ts';
import type { OneTimeCodes, Visitor } from '../ports.ts';
import type { OAuthClient } from '../client-port.ts';
import type { ChallengeRecord, ProviderStore } from '../store-port.ts';
import { readJsonObject } from '../request-body.ts';
import { hashedId } from '../hashed-id.ts';
import { refuse, refuseGrant, refuseTooMany } from './answers.ts';
import { parameterText } from '../text.ts';
import type { LoginTickets } from './login-ticket.ts';

type Verdict =
  | { readonly kind: 'ok'; readonly accountId: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'blocked'; readonly retryAfterSeconds: number };

type Dependencies = {
  readonly provider: Provider;
  readonly store: ProviderStore['challenges'];
  readonly codes: OneTimeCodes;
  readonly clients: ClientDirectory;
  readonly tickets: LoginTickets;
  readonly issue: IssueTokens;
  readonly now: () => Date;
  readonly mountPath: string;
  readonly visitorOf: (ctx: Context) => Visitor;
};

export type Passwordless = ReturnType<typeof createPasswordless>;

const startSchema = z.object({
  connection: z.enum(['email', 'sms']),
  send: z.enum(['code', 'link']).default('code'),
  email: z.string().trim().min(3).max(254).optional(),
  phone_number: z.string().trim().max(20).optional(),
});
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^\+\d{8,15}$/;

/** Returns the address or number of a request; null when it does not fit the connection. */
function requestContact(body: {
  connection?: unknown;
  email?: unknown;
  phone_number?: unknown;
}): string | null {
  const [value, shape] =
    body.connection === 'sms' ? [body.phone_number, PHONE] : [body.email, EMAIL];
  const text = typeof value === 'string' ? canonicalEmail(value) : '';
  return shape.test(text) ? text : null;
}

const wrongCode = (connection: string): string =>
  connection === 'sms'
    ? 'Wrong phone number or verification code.'
    : 'Wrong email or verification code.';

/** Creates the calls and the grant of passwordless sign-in. */
export function createPasswordless(deps: Dependencies) {
  const { provider, store, codes, clients, tickets, issue, now, mountPath, visitorOf } = deps;

  const hashOf = (client: OAuthClient, connection: string, contact: string): string =>
    hashedId('passwordless', JSON.stringify([client.clientId, connection, contact]));

  async function living(hash: string): Promise<ChallengeRecord | null> {
    const found = await store.find(hash);
    return found && found.expiresAt.getTime() > now().getTime() ? found : null;
  }

  /** Checks a code without consuming it, as the screens do. */
  async function tryCode(ctx: Context, hash: string, code: string): Promise<Verdict> {
    const found = await living(hash);
    if (!found) return { kind: 'wrong' };
    const { accountId } = found;
    const verdict = await codes.verifyContact(found, code, visitorOf(ctx));
    if (verdict.kind === 'blocked') return verdict;
    const isRight = verdict.kind === 'ok' && accountId !== null;
    return isRight ? { kind: 'ok', accountId } : { kind: 'wrong' };
  }

  async function consumeHash(ctx: Context, hash: string, code: string): Promise<Verdict> {
    const verdict = await tryCode(ctx, hash, code);
    if (verdict.kind !== 'ok') return verdict;
    return (await store.take(hash)) ? verdict : { kind: 'wrong' };
  }

  /** Returns the client of a request. Auth0's legacy call names none; then the page's origin identifies it. */
  async function clientOf(ctx: Context, clientId: unknown): Promise<OAuthClient | undefined> {
    const origin = ctx.get('Origin');
    const client =
      clientId === undefined
        ? await clients.findByOrigin(origin, 'passwordless')
        : await clients.find(clientId);
    if (!client || !mayUse(client, 'passwordless')) return undefined;
    return !origin || clients.mayPostFrom(client, origin) ? client : undefined;
  }

  /** Returns body and client of a request; `null` when the request has been refused. */
  async function readAsked(ctx: Context) {
    const body = await readJsonObject(ctx.req);
    const client = await clientOf(ctx, body.client_id);
    if (client) {
      allowOrigin(ctx, clients, client);
      return { body, client };
    }
    const why = 'Passwordless sign-in is not allowed for this client.';
    refuse(ctx, 403, 'unauthorized_client', why);
    return null;
  }

  async function grant(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, params = {} } = ctx.oidc;
    const known = await clients.find(client?.clientId);
    if (!known || !mayUse(known, 'passwordless')) {
      return refuseGrant(ctx, PASSWORDLESS);
    }
    const text = (name: string): string => parameterText(params[name]);
    const realm = text('realm');
    const verdict = await consume(ctx, known, realm, text('username'), text('otp'));
    if (verdict.kind === 'blocked') return refuseTooMany(ctx, verdict.retryAfterSeconds);
    if (verdict.kind === 'wrong') return refuse(ctx, 403, 'invalid_grant', wrongCode(realm));
    const { accountId } = verdict;
    const signIn = { accountId, amr: ['otp'], scope: text('scope'), audience: text('audience') };
    // The code has been consumed, and no password is involved that a reset could have changed.
    await issue(ctx, signIn, async () => true);
  }
  const PARAMETERS = ['username', 'otp', 'realm', 'scope', 'audience'];
  provider.registerGrantType(PASSWORDLESS, grant, PARAMETERS);

  /** Checks a code and consumes it; /co/authenticate calls this too. */
  async function consume(
    ctx: Context,
    client: OAuthClient,
    connection: string,
    contact: string,
    code: string,
  ): Promise<Verdict> {
    const field = connection === 'sms' ? 'phone_number' : 'email';
    const clean = requestContact({ connection, [field]: contact });
    return clean ? consumeHash(ctx, hashOf(client, connection, clean), code) : { kind: 'wrong' };
  }

  return {
    consume,

    async start(ctx: Context): Promise<void> {
      const asked = await readAsked(ctx);
      if (!asked) return;
      const { body, client } = asked;
      const parsed = startSchema.safeParse(body);
      if (!parsed.success) return refuse(ctx, 400, 'bad.connection', 'Connection does not exist');
      const { connection, send: way } = parsed.data;
      const contact = requestContact(parsed.data);
      if (!contact) {
        return connection === 'sms'
          ? refuse(ctx, 400, 'bad.phone_number', 'Invalid phone number')
          : refuse(ctx, 400, 'bad.email', 'error in email - email format validation failed');
      }
      // Links are refused: a mail scanner that opens one would use it up.
      if (way === 'link')
        return refuse(ctx, 400, 'bad.send', 'Links are not offered; ask for a code.');
      const waitSeconds = await codes.countStart(visitorOf(ctx));
      if (waitSeconds > 0) return refuseTooMany(ctx, waitSeconds);
      const hash = hashOf(client, connection, contact);
      await codes.startPasswordless(
        { hash, clientId: client.clientId, channel: connection, contact },
        visitorOf(ctx),
      );
      ctx.body =
        connection === 'sms'
          ? { _id: randomBytes(12).toString('hex'), phone_number: contact, phone_verified: false }
          : { _id: randomBytes(12).toString('hex'), email: contact, email_verified: false };
    },

    async verify(ctx: Context): Promise<void> {
      const asked = await readAsked(ctx);
      if (!asked) return;
      const { body, client } = asked;
      const connection = parameterText(body.connection);
      const contact = requestContact(body);
      const verdict: Verdict = contact
        ? await tryCode(
            ctx,
            hashOf(client, connection, contact),
            parameterText(body.verification_code),
          )
        : { kind: 'wrong' };
      if (verdict.kind === 'blocked') return refuseTooMany(ctx, verdict.retryAfterSeconds);
      if (verdict.kind === 'wrong') return refuse(ctx, 403, 'access_denied', wrongCode(connection));
      ctx.body = {};
    },

    /**
     * Accepts navigations from the client's own pages only: a link elsewhere could sign people in as its author
     * (login CSRF).
     */
    async verifyRedirect(ctx: Context): Promise<void> {
      const { connection, verification_code: code, email, phone_number, ...asked } = ctx.query;
      const client = await clients.find(asked.client_id);
      const from = URL.canParse(ctx.get('Referer')) ? new URL(ctx.get('Referer')).origin : '';
      const isOwnPage =
        client && mayUse(client, 'passwordless') && clients.mayPostFrom(client, from);
      const contact = requestContact({ connection, email, phone_number });
      const verdict: Verdict =
        isOwnPage && contact
          ? await consumeHash(
              ctx,
              hashOf(client, parameterText(connection), contact),
              parameterText(code),
            )
          : { kind: 'wrong' };
      const params = new URLSearchParams(
        Object.entries(asked).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
      );
      // Without a right code the request continues unauthenticated: at the sign-in page, or with login_required.
      params.set(
        'login_ticket',
        client && verdict.kind === 'ok'
          ? await tickets.issue(ctx, verdict.accountId, client, ['otp'])
          : 'none',
      );
      ctx.status = 303;
      ctx.redirect(`${mountPath}authorize?${params.toString()}`);
    },
  };
}
