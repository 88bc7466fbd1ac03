/**
 * Login tickets: what the right password gives (IDP-03). One use, 60 seconds, one client, one
 * browser. A redeemed ticket makes no session: that is the first of the three lines in second-factor.ts.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { mayEnter } from '../factors.ts';
import type { HostedSessions } from '../sessions.ts';
import type { HostedLoginClient, ProviderStore, SignInEvents } from '../ports.ts';
import { storedId } from '../stored-id.ts';

const TICKET_LIFE_MS = 60_000;
const BROWSER_COOKIE = 'co_id';

type Dependencies = {
  readonly store: ProviderStore['tickets'];
  readonly now: () => Date;
  readonly clients: ClientDirectory;
  readonly sessions: HostedSessions;
  readonly events: SignInEvents;
  /** With a slash at its end; also the path of the cookie that ties a ticket to its browser. */
  readonly mountPath: string;
  readonly isSecure: boolean;
};

export type LoginTickets = {
  /** `amr`: what its holder has proven; a password unless told otherwise. */
  issue(
    ctx: Context,
    accountId: string,
    client: HostedLoginClient,
    amr?: readonly string[],
  ): Promise<string>;
  /** Handles an authorization request that carries a ticket; true when it has answered. */
  redeem(ctx: Context): Promise<boolean>;
};

const random = (): string => randomBytes(32).toString('base64url');

/** Set on a request whose ticket was no good; the policy then asks for a sign-in whatever session there is. */
export function isTicketRefused(ctx: { readonly state: Record<string, unknown> }): boolean {
  return ctx.state.ticketRefused === true;
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function withoutTicket(query: string): string {
  const params = new URLSearchParams(query);
  params.delete('login_ticket');
  return String(params);
}

export function createLoginTickets(deps: Dependencies): LoginTickets {
  const { store, now, clients, sessions, events } = deps;
  const browserOf = (ctx: Context): string | undefined =>
    ctx.cookies.get(BROWSER_COOKIE, { signed: true });

  async function take(
    ctx: Context,
  ): Promise<{ accountId: string; client: HostedLoginClient; amr: readonly string[] } | null> {
    const { login_ticket: ticket, client_id: clientId } = ctx.query;
    const browser = browserOf(ctx);
    if (typeof ticket !== 'string') return null;
    // Taken before it is looked at: whoever shows it to the wrong browser or client has burnt it.
    const found = await store.take(storedId('ticket', ticket));
    const client = await clients.find(clientId);
    if (!found || !client || !browser) return null;
    if (found.expiresAt.getTime() <= now().getTime()) return null;
    if (found.clientId !== client.clientId) return null;
    if (!isSame(found.coIdHash, storedId('browser', browser))) return null;
    return { accountId: found.accountId, client, amr: found.amr.split(' ') };
  }

  return {
    async issue(ctx, accountId, client, amr = ['pwd']) {
      // Kept while it lives, so that a second attempt in another tab does not spoil the first one's ticket.
      const browser = browserOf(ctx) ?? random();
      const ticket = random();
      await store.add({
        hash: storedId('ticket', ticket),
        accountId,
        clientId: client.clientId,
        coIdHash: storedId('browser', browser),
        amr: amr.join(' '),
        expiresAt: new Date(now().getTime() + TICKET_LIFE_MS),
      });
      ctx.cookies.set(BROWSER_COOKIE, browser, {
        signed: true,
        httpOnly: true,
        sameSite: 'lax',
        secure: deps.isSecure,
        path: deps.mountPath,
        maxAge: 2 * TICKET_LIFE_MS,
        overwrite: true,
      });
      return ticket;
    },

    async redeem(ctx) {
      const taken = await take(ctx);
      if (!taken) {
        ctx.state.ticketRefused = true;
        return false;
      }
      await sessions.endInBrowser(ctx);
      const { accountId, amr } = taken;
      if (mayEnter(taken.client, amr)) {
        // Passwordless: the code has been verified already, and there is no second step to wait for.
        await sessions.establishInBrowser(ctx, { accountId, amr, authTime: now() });
      } else if (taken.client.firstParty) {
        const { state } = ctx.query;
        await events.passwordAccepted({
          accountId: taken.accountId,
          state: typeof state === 'string' ? state : undefined,
          cookieHeader: ctx.req.headers.cookie,
        });
      }
      // Back to the same address without the ticket: it stays out of history, logs and stored parameters.
      ctx.status = 303;
      ctx.redirect(`${deps.mountPath}authorize?${withoutTicket(ctx.querystring)}`);
      return true;
    },
  };
}
