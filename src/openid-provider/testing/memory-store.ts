/** The provider's store in memory, for a provider that lives as long as a test. */

import type {
  ChallengeRecord,
  FoundRecord,
  ProviderStore,
  StoredRecord,
  TicketRecord,
} from '../store-port.ts';

type Row = StoredRecord & { consumed: number | null; readonly endsAt: number };

const endOf = ({ secondsToLive }: StoredRecord) =>
  secondsToLive === null ? Infinity : Date.now() + secondsToLive * 1000;

export function createMemoryStore(): ProviderStore {
  const rows = new Map<string, Row>();
  const tickets = new Map<string, TicketRecord>();
  const challenges = new Map<string, ChallengeRecord>();
  const keyOf = (model: string, id: string) => `${model}:${id}`;
  const isLiving = (row: Row) => row.endsAt > Date.now();
  const found = (row: Row | undefined): FoundRecord | null =>
    row && isLiving(row)
      ? { id: row.id, payload: row.payload, consumed: row.consumed, consumedAgoMs: null }
      : null;
  const where = (test: (row: Row) => boolean) => [...rows.values()].find(test);
  const remove = (test: (row: Row) => boolean) => {
    for (const [key, row] of rows) if (test(row)) rows.delete(key);
  };
  return {
    payloads: {
      async save(records) {
        for (const { record, isUpdate } of records) {
          const key = keyOf(record.model, record.id);
          const before = rows.get(key);
          if (isUpdate && !before) continue;
          rows.set(key, { ...(before ?? { consumed: null }), ...record, endsAt: endOf(record) });
        }
      },
      async findCode(id) {
        const row = rows.get(keyOf('AuthorizationCode', id));
        const code = found(row);
        if (!row || !code) return null;
        const { sessionUid } = row.payload;
        return {
          code,
          session: found(where(({ model, uid }) => model === 'Session' && uid === sessionUid)),
          grant: found(rows.get(keyOf('Grant', row.grantId ?? ''))),
        };
      },
      async findSession(id, clientId) {
        const session = found(rows.get(keyOf('Session', id)));
        if (!session) return null;
        const given = (session.payload.authorizations ?? {}) as Record<
          string,
          { grantId?: string }
        >;
        return { session, grant: found(rows.get(keyOf('Grant', given[clientId]?.grantId ?? ''))) };
      },
      async insert(record) {
        const key = keyOf(record.model, record.id);
        if (rows.has(key)) return false;
        rows.set(key, { ...record, consumed: null, endsAt: endOf(record) });
        return true;
      },
      find: async (model, id) => found(rows.get(keyOf(model, id))),
      findByUid: async (model, uid) =>
        found(where((row) => row.model === model && row.uid === uid)),
      findByUserCode: async (model, userCode) =>
        found(where((row) => row.model === model && row.userCode === userCode)),
      async consume(model, id) {
        const row = rows.get(keyOf(model, id));
        if (!row || row.consumed !== null) return false;
        row.consumed = Math.floor(Date.now() / 1000);
        return true;
      },
      async destroy(model, id) {
        rows.delete(keyOf(model, id));
      },
      revokeByGrantId: async (model, grantId) =>
        remove((row) => row.model === model && row.grantId === grantId),
      listByAccount: async (model, accountId) =>
        [...rows.values()]
          .filter((row) => row.model === model && row.accountId === accountId)
          .map((row) => row.payload),
      destroyByAccountAndClient: async (accountId, clientId) =>
        remove((row) => row.accountId === accountId && row.payload.clientId === clientId),
      async destroyByAccount(accountId, model) {
        remove((row) => row.accountId === accountId && (model ?? row.model) === row.model);
        for (const [hash, ticket] of tickets) {
          if (ticket.accountId === accountId) tickets.delete(hash);
        }
        for (const [hash, challenge] of challenges) {
          if (challenge.accountId === accountId) challenges.delete(hash);
        }
      },
    },
    tickets: {
      async add(ticket) {
        tickets.set(ticket.hash, ticket);
      },
      async take(hash) {
        const ticket = tickets.get(hash) ?? null;
        tickets.delete(hash);
        return ticket;
      },
    },
    challenges: {
      async put(challenge) {
        challenges.set(challenge.hash, challenge);
      },
      async recordSentCode(hash, handle) {
        const challenge = challenges.get(hash);
        if (challenge) challenges.set(hash, { ...challenge, handle });
        return challenge !== undefined;
      },
      find: async (hash) => challenges.get(hash) ?? null,
      countTry: async () => undefined,
      async take(hash) {
        const challenge = challenges.get(hash) ?? null;
        challenges.delete(hash);
        return challenge;
      },
    },
  };
}
