import type { EventKind } from '#locales/operator/events.ts';
import type { Actor, UserDirectory } from '#openid-provider/user-directory.ts';
import { hasAddress } from '../../accounts/addresses.ts';
import type { Db } from '../../db/database.ts';
import type { Client, ClientRegistry } from '../oauth-clients/registry.ts';
import type { WayBack } from '../../proofs/password/reset-ports.ts';
import type { Resets } from '../../proofs/password/resets.ts';
import type { ActivationLinks } from '../../sign-up/activation-links.ts';
import { managedUserId, selectUsers } from './managed-user-rows.ts';

export type TicketPorts = {
  readonly resets: Pick<Resets, 'ticket'>;
  readonly activationLinks: Pick<ActivationLinks, 'ticket'>;
  readonly clients: Pick<ClientRegistry, 'list'>;
  /** Returns whether an address is registered with a client. */
  readonly isAddressOf: (client: Client, address: string) => boolean;
};

/** Creates links that a program passes on by itself: to set a password, and to confirm an address. */
export function createManagedUserTickets(
  db: Db,
  ports: TicketPorts,
  note: (kind: EventKind, userId: number, by: Actor) => Promise<void>,
): Pick<UserDirectory, 'createTicket'> {
  async function idByEmail(email: string): Promise<number | null> {
    const row = await selectUsers(db).where(hasAddress(email)).executeTakeFirst();
    return row?.id ?? null;
  }

  async function exists(id: number): Promise<boolean> {
    const row = await selectUsers(db).where('users.id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the client that a ticket leads to; `undefined` for an unregistered client or address. */
  async function wayTo(clientId: string | null, resultUrl: string | null) {
    const all = await ports.clients.list();
    const client = all.find((each) =>
      resultUrl === null ? each.clientId === clientId : ports.isAddressOf(each, resultUrl),
    );
    if (!client) return undefined;
    return { clientId: client.clientId, request: null, resultUrl } satisfies WayBack;
  }

  return {
    async createTicket({ kind, user, lifeSeconds, isMailed, clientId, resultUrl }, by) {
      const id = 'userId' in user ? managedUserId(user.userId) : await idByEmail(user.email);
      if (id === null || !(await exists(id))) return { kind: 'unknown' };
      const from = clientId || resultUrl ? await wayTo(clientId, resultUrl) : null;
      if (from === undefined) return { kind: 'unregistered' };
      const lifeMs = lifeSeconds * 1000;
      const ticket = { userId: id, lifeMs, isMailed, from };
      const url =
        kind === 'password'
          ? await ports.resets.ticket(ticket, by)
          : await ports.activationLinks.ticket(id, lifeMs);
      if (url === null) return { kind: 'nothingToDo' };
      if (kind === 'email') await note('activation.ticket', id, by);
      return { kind: 'made', url };
    },
  };
}
