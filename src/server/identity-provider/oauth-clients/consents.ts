import type { ServerContext } from '../../core/context.ts';
import type { ClientRegistry } from './registry.ts';

export type Consents = ReturnType<typeof createConsents>;

/** Creates the store of consents: one row per person and client. */
export function createConsents({ db, clock, audit }: ServerContext, clients: ClientRegistry) {
  async function scopesOf(accountId: string, clientId: string): Promise<readonly string[]> {
    const row = await db
      .selectFrom('consents')
      .select('scopes')
      .where('user_id', '=', Number(accountId))
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    return row?.scopes ?? [];
  }

  return {
    scopesOf,

    /** Adds to the scopes that the person has consented to for this client. */
    async remember(userId: number, clientId: string, scopes: readonly string[]): Promise<void> {
      const before = await scopesOf(String(userId), clientId);
      const all = [...new Set([...before, ...scopes])];
      await db
        .insertInto('consents')
        .values({ user_id: userId, client_id: clientId, scopes: all, changed_at: clock.now() })
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'client_id'])
            .doUpdateSet({ scopes: all, changed_at: clock.now() }),
        )
        .execute();
    },

    async list(userId: number) {
      const rows = await db
        .selectFrom('consents')
        .select(['client_id', 'scopes'])
        .where('user_id', '=', userId)
        .orderBy('client_id')
        .execute();
      return Promise.all(
        rows.map(async ({ client_id: clientId, scopes }) => ({
          clientId,
          name: (await clients.find(clientId))?.name ?? clientId,
          scopes,
        })),
      );
    },

    /** Revokes a consent; false when there was none. */
    async revoke(userId: number, clientId: string): Promise<boolean> {
      const gone = await db
        .deleteFrom('consents')
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .returning('client_id')
        .executeTakeFirst();
      if (gone) await audit({ kind: 'client.consentRevoked', userId, details: { clientId } });
      return gone !== undefined;
    },
  };
}
