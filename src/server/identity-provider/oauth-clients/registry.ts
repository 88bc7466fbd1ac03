import type { OAuthClient } from '#openid-provider/client-port.ts';
import { CLIENT_ID, type ClientEntry, clientSchema } from '../../config/client-file.ts';
import { faultWords } from '../../config/fault-words.ts';
import type { Db } from '../../db/database.ts';
import { hashToken, randomToken } from '../../crypto/secret-box.ts';

/** A client in the terms of the provider and the screens. */
export type Client = Omit<ClientEntry, 'id'> & Pick<OAuthClient, 'clientId' | 'refreshLife'>;

export type ClientRegistry = ReturnType<typeof createClientRegistry>;

/** Returns whether an address is exactly registered with a client. */
export const isAddressOf = (client: Client, address: string): boolean =>
  [...client.redirectUris, ...client.postLogoutRedirectUris, client.initiateLoginUri].includes(
    address,
  );

const DAY_SECONDS = 24 * 60 * 60;

function toClient({ id, ...rest }: ClientEntry): Client {
  const { refreshTokenLifeDays: days, refreshTokenIdleDays: idle = days } = rest;
  if (days === undefined || idle === undefined) return { clientId: id, ...rest };
  const refreshLife = { idleSeconds: idle * DAY_SECONDS, seconds: days * DAY_SECONDS };
  return { clientId: id, ...rest, refreshLife };
}

async function findEntry(db: Db, id: string): Promise<ClientEntry | null> {
  const row = await db
    .selectFrom('clients')
    .select('definition')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.definition ?? null;
}

async function listEntries(db: Db): Promise<readonly ClientEntry[]> {
  const rows = await db.selectFrom('clients').select('definition').orderBy('id').execute();
  return rows.map((row) => row.definition);
}

/**
 * Creates the registry: clients of the settings, then those of the database, which is read each time so that a removed
 * client is refused at once.
 */
export function createClientRegistry(db: Db, fixed: readonly Client[]) {
  const byId = new Map(fixed.map((client) => [client.clientId, client]));
  return {
    async find(clientId: string): Promise<Client | null> {
      const known = byId.get(clientId);
      if (known || !CLIENT_ID.test(clientId)) return known ?? null;
      const entry = await findEntry(db, clientId);
      return entry && toClient(entry);
    },
    async list(): Promise<readonly Client[]> {
      const added = (await listEntries(db)).map(toClient);
      return [...fixed, ...added.filter((client) => !byId.has(client.clientId))];
    },
  };
}

export const fromSettings = (entries: readonly ClientEntry[]) => entries.map(toClient);

/** Creates the store of clients in the database, for the command line. */
export function createClientStore(db: Db, now: () => Date, rules: { readonly isDemo: boolean }) {
  return {
    list: () => listEntries(db),

    find: (id: string) => findEntry(db, id),

    /**
     * Replaces a client.
     * @throws ZodError with every fault
     * @returns `null` when there is no such client
     */
    async replace(given: unknown): Promise<ClientEntry | null> {
      const entry = clientSchema(rules).parse(given, { error: faultWords });
      const replaced = await db
        .updateTable('clients')
        .set({ definition: JSON.stringify(entry), changed_at: now() })
        .where('id', '=', entry.id)
        .returning('id')
        .executeTakeFirst();
      return replaced ? entry : null;
    },

    /**
     * Adds a client.
     * @throws ZodError with every fault
     * @returns `null` when the id exists
     */
    async add(given: unknown): Promise<ClientEntry | null> {
      const entry = clientSchema(rules).parse(given, { error: faultWords });
      const added = await db
        .insertInto('clients')
        .values({ id: entry.id, definition: JSON.stringify(entry), changed_at: now() })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      return added ? entry : null;
    },

    async remove(id: string): Promise<boolean> {
      const removed = await db
        .deleteFrom('clients')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },

    /** Replaces a client's secret and returns the new one; `null`: no such client, or it has no secret. */
    async rotateSecret(id: string): Promise<string | null> {
      const entry = await findEntry(db, id);
      if (!entry || !('secretHash' in entry.auth)) return null;
      const secret = randomToken();
      const auth = { ...entry.auth, secretHash: hashToken(secret) };
      await db
        .updateTable('clients')
        .set({ definition: JSON.stringify({ ...entry, auth }), changed_at: now() })
        .where('id', '=', id)
        .execute();
      return secret;
    },
  };
}
