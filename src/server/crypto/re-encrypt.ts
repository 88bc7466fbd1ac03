import { sql } from 'kysely';
import type { ServerContext } from '../core/context.ts';
import type { EncryptionPurpose } from './secret-box.ts';

export type ReEncrypted = {
  readonly count: number;
  /** Number of texts that were already encrypted under the present secret. */
  readonly fresh: number;
  /** Number of texts that no configured secret decrypts. */
  readonly lost: number;
};

type Sealed = {
  readonly sealed: string;
  /** Writes the new text if the old one is unchanged: a job may be done, a key retired meanwhile. */
  readonly replace: (resealed: string) => Promise<unknown>;
};

type Deps = Pick<ServerContext, 'db' | 'secretBox'>;

type Place = (db: ServerContext['db']) => Promise<readonly Sealed[]> | AsyncIterable<Sealed>;

/** Rows that are read at once from tables with a row for every account. */
const BATCH = 500;

const keysOf =
  (table: 'server_keys' | 'demo_module_keys'): Place =>
  async (db) => {
    const rows = await db.selectFrom(table).select(['kid', 'sealed']).execute();
    return rows.map(({ kid, sealed }) => ({
      sealed,
      replace: (resealed) =>
        db
          .updateTable(table)
          .set({ sealed: resealed })
          .where('kid', '=', kid)
          .where('sealed', '=', sealed)
          .execute(),
    }));
  };

/** The places of each kind of encrypted text. A new kind does not compile without its line here. */
const PLACES: Record<EncryptionPurpose, Place> = {
  'server-key': keysOf('server_keys'),
  // Encrypted under the form that it answers, not under a secret of ours.
  'answered-form': async () => [],
  'demo-module-key': keysOf('demo_module_keys'),
  async 'client-request'(db) {
    const rows = await db.selectFrom('client_requests').select(['id', 'interaction']).execute();
    return rows.map(({ id, interaction: sealed }) => ({
      sealed,
      replace: (interaction) =>
        db.updateTable('client_requests').set({ interaction }).where('id', '=', id).execute(),
    }));
  },
  async 'audit-key'(db) {
    const rows = await db.selectFrom('audit_keys').select('sealed').execute();
    return rows.map(({ sealed }) => ({
      sealed,
      replace: (resealed) =>
        db
          .updateTable('audit_keys')
          .set({ sealed: resealed })
          .where('sealed', '=', sealed)
          .execute(),
    }));
  },
  async 'app-code'(db) {
    const rows = await db.selectFrom('app_codes').select(['id', 'secret']).execute();
    return rows.map(({ id, secret: sealed }) => ({
      sealed,
      replace: (secret) =>
        db.updateTable('app_codes').set({ secret }).where('id', '=', id).execute(),
    }));
  },
  // Also the verifier of a sign-in under way, which is not kept longer than ten minutes.
  async organisation(db) {
    const rows = await db.selectFrom('organisations').select(['id', 'client_secret']).execute();
    return rows.map(({ id, client_secret: sealed }) => ({
      sealed,
      replace: (resealed) =>
        db
          .updateTable('organisations')
          .set({ client_secret: resealed })
          .where('id', '=', id)
          .where('client_secret', '=', sealed)
          .execute(),
    }));
  },
  async outbox(db) {
    const rows = await db.selectFrom('outbox').select(['id', 'payload']).execute();
    return rows.flatMap(({ id, payload }) => {
      if (typeof payload.sealed !== 'string') return [];
      const replace = (resealed: string) =>
        db
          .updateTable('outbox')
          .set({ payload: JSON.stringify({ ...payload, sealed: resealed }) })
          .where('id', '=', id)
          .where(sql<boolean>`payload = ${JSON.stringify(payload)}::text::jsonb`)
          .execute();
      return [{ sealed: payload.sealed, replace }];
    });
  },
  async *'survey-answer'(db) {
    for (let after: string | null = null; ;) {
      let query = db
        .selectFrom('survey_answers')
        .select(['id', 'sealed_text'])
        .where('sealed_text', 'is not', null)
        .orderBy('id')
        .limit(BATCH);
      if (after !== null) query = query.where('id', '>', after);
      const rows = await query.execute();
      for (const { id, sealed_text: sealed } of rows) {
        if (sealed === null) continue;
        const replace = (resealed: string) =>
          db
            .updateTable('survey_answers')
            .set({ sealed_text: resealed })
            .where('id', '=', id)
            .where('sealed_text', '=', sealed)
            .execute();
        yield { sealed, replace };
      }
      after = rows.at(-1)?.id ?? null;
      if (after === null) return;
    }
  },
};

/** Encrypts all texts in the database under the present secret, while the instances run. */
export async function reEncrypt({ db, secretBox }: Deps): Promise<ReEncrypted> {
  const result = { count: 0, fresh: 0, lost: 0 };
  for (const purpose of Object.keys(PLACES) as EncryptionPurpose[]) {
    for await (const { sealed, replace } of await PLACES[purpose](db)) {
      if (secretBox.isEncryptedWithCurrent(purpose, sealed)) {
        result.fresh += 1;
        continue;
      }
      const text = open(purpose, sealed);
      if (text === null) result.lost += 1;
      else {
        await replace(secretBox.encrypt(purpose, text));
        result.count += 1;
      }
    }
  }
  return result;

  function open(purpose: EncryptionPurpose, sealed: string): string | null {
    try {
      return secretBox.decrypt(purpose, sealed);
    } catch {
      return null;
    }
  }
}
