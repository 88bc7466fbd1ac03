/**
 * Login tickets, issued for a right password (IDP-03): for one use within 60 seconds, one client and one browser.
 * Redeeming one starts no session: that is the first line of defence in second-factor.ts.
 */

import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { acceptsSignIn } from '../factors.ts';
import type { ProviderSessions } from '../sessions.ts';
import type { SignInEvents } from '../ports.ts';
import type { OAuthClient } from '../client-port.ts';
import type { ProviderStore } from '../store-port.ts';
import { hashedId, isSame } from '../hashed-id.ts';

const TICKET_LIFE_MS = MINUTE_MS;

type Dependencies = {
  readonly store: ProviderStore['tickets'];
  readonly now: () => Date;
  readonly clients: ClientDirectory;
  readonly sessions: ProviderSessions;
  readonly events: SignInEvents;
  /** With a trailing slash. */
  readonly mountPath: string;
  readonly isSecure: boolean;
};

export type LoginTickets = ReturnType<typeof createLoginTickets>;

const random = (): string => randomBytes(32).toString('base64url');

type State = { readonly state: Record<string, unknown> };

/** A verified password that waits for its OTP: the account, and the expiry in seconds since 1970. */
export type PasswordGiven = { readonly accountId: string; readonly until: number };

/**
 * Returns whether the request carried an invalid ticket. The policy then asks for a sign-in, even if there is a
 * session.
 */
export function isTicketRefused(ctx: State): boolean {
  return ctx.state.ticketRefused === true;
}

/** Returns the verified password behind the ticket, for a request without a sign-in attempt of the portal. */
export function passwordGivenIn(ctx: State): PasswordGiven | undefined {
  return ctx.state.passwordGiven as PasswordGiven | undefined;
}

function withoutTicket(query: string): string {
  const params = new URLSearchParams(query);
  params.delete('login_ticket');
  return String(params);
}

/** Creates the issuer and verifier of login tickets. */
export function createLoginTickets(deps: Dependencies) {
  const { store, now, clients, sessions, events } = deps;
  // Binds a ticket to its browser. `__Host-`: a sibling host cannot plant another person's cookie (security R24).
  const cookie = deps.isSecure ? '__Host-co_id' : 'co_id';
  const browserOf = (ctx: Context): string | undefined => ctx.cookies.get(cookie, { signed: true });

  async function take(ctx: Context) {
    const { login_ticket: ticket, client_id: clientId } = ctx.query;
    const browser = browserOf(ctx);
    if (typeof ticket !== 'string') return null;
    // Deleted before it is checked: an attempt with the wrong browser or client uses it up.
    const found = await store.take(hashedId('ticket', ticket));
    const client = await clients.find(clientId);
    if (!found || !client || !browser) return null;
    if (found.expiresAt.getTime() <= now().getTime()) return null;
    if (found.clientId !== client.clientId) return null;
    if (!isSame(found.coIdHash, hashedId('browser', browser))) return null;
    return { accountId: found.accountId, client, amr: found.amr.split(' ') };
  }

  return {
    /** Issues a ticket. `amr`: the factors that were verified; default: the password. */
    async issue(
      ctx: Context,
      accountId: string,
      client: OAuthClient,
      amr: readonly string[] = ['pwd'],
    ): Promise<string> {
      // An existing cookie is kept, so that an attempt in a second tab leaves the first tab's ticket valid.
      const browser = browserOf(ctx) ?? random();
      const ticket = random();
      await store.add({
        hash: hashedId('ticket', ticket),
        accountId,
        clientId: client.clientId,
        coIdHash: hashedId('browser', browser),
        amr: amr.join(' '),
        expiresAt: new Date(now().getTime() + TICKET_LIFE_MS),
      });
      ctx.cookies.set(cookie, browser, {
        signed: true,
        httpOnly: true,
        sameSite: 'lax',
        secure: deps.isSecure,
        path: '/',
        maxAge: 2 * TICKET_LIFE_MS,
        overwrite: true,
      });
      return ticket;
    },

    /** Handles an authorization request that carries a ticket; returns true when it has answered. */
    async redeem(ctx: Context): Promise<boolean> {
      const taken = await take(ctx);
      if (!taken) {
        ctx.state.ticketRefused = true;
        return false;
      }
      await sessions.endInBrowser(ctx);
      const { accountId, amr } = taken;
      if (acceptsSignIn(taken.client, amr)) {
        // Passwordless: the code has been verified already, and no second step follows.
        await sessions.establishInBrowser(ctx, { accountId, amr, authTime: now() });
      } else if (taken.client.firstParty) {
        const { state } = ctx.query;
        const isOwn = await events.passwordAccepted({
          accountId,
          state: typeof state === 'string' ? state : undefined,
          cookieHeader: ctx.req.headers.cookie,
        });
        if (!isOwn) {
          // The application's own page asked for the password: its interaction begins at the OTP.
          const until = Math.floor((now().getTime() + TICKET_LIFE_MS) / 1000);
          ctx.state.passwordGiven = { accountId, until } satisfies PasswordGiven;
          return false;
        }
      }
      // Redirects without the ticket, which stays out of history, logs and stored parameters.
      ctx.status = 303;
      ctx.redirect(`${deps.mountPath}authorize?${withoutTicket(ctx.querystring)}`);
      return true;
    },
  };
}
