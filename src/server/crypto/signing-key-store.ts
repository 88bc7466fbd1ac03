/** The rows of the signing keys, and the two ways to change them: publish a successor, retire a key. */

import type { KeyUse } from '../db/schema.ts';
import type { JWK } from 'jose';
import { fill } from '#locales/fill.ts';
import { keyCommand } from '#locales/operator/key-command.ts';
import { server as texts } from '#locales/operator/server.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { OperatorError } from '../config/operator-error.ts';
import { generateSigningKey } from './new-signing-key.ts';
import { signingKeyEnd, type KeyTimes, signingKeyState } from './rotation-schedule.ts';

/** A key as stored in the database. */
export type StoredSigningKey = KeyTimes & {
  readonly kid: string;
  readonly use: KeyUse;
  readonly sealed: string;
  readonly createdAt: Date;
};

type Deps = Pick<ServerContext, 'db' | 'clock' | 'secretBox'> & {
  readonly audit: (...entry: Parameters<ServerContext['audit']>) => Promise<void>;
};

/** Creates the store of signing keys. */
export function createSigningKeyStore({ db, clock, secretBox, audit }: Deps) {
  async function insert(transaction: Db, use: KeyUse, generation: number, signsFrom: Date) {
    const key = await generateSigningKey(use);
    return transaction
      .insertInto('server_keys')
      .values({
        kid: key.kid,
        key_use: use,
        generation,
        sealed: secretBox.encrypt('server-key', JSON.stringify(key)),
        created_at: clock.now(),
        signs_from: signsFrom,
        ends_at: null,
      })
      .onConflict((conflict) => conflict.columns(['key_use', 'generation']).doNothing())
      .returning('kid')
      .executeTakeFirst();
  }

  async function read(from: Db, use?: KeyUse): Promise<readonly StoredSigningKey[]> {
    let query = from
      .selectFrom('server_keys')
      .select([
        'kid',
        'key_use as use',
        'generation',
        'sealed',
        'created_at as createdAt',
        'signs_from as signsFrom',
        'ends_at as endsAt',
      ])
      .orderBy('generation');
    // One change of a use at a time; reads need no lock.
    if (use) query = query.where('key_use', '=', use).forUpdate();
    return query.execute();
  }

  const setTimes = (transaction: Db, kid: string, times: object) =>
    transaction.updateTable('server_keys').set(times).where('kid', '=', kid).execute();

  return {
    /** Returns all keys, the oldest first. */
    list: (): Promise<readonly StoredSigningKey[]> => read(db),

    /**
     * Decrypts a key.
     * @throws OperatorError when no configured secret can
     */
    open(key: StoredSigningKey): JWK {
      try {
        const jwk = JSON.parse(secretBox.decrypt('server-key', key.sealed)) as JWK;
        // One encrypted text must not replace another.
        if (jwk.kid === key.kid) return jwk;
      } catch (cause) {
        throw new OperatorError(texts.secretChanged, { cause });
      }
      throw new OperatorError(fill(texts.keyMixedUp, { kid: key.kid }));
    },

    /** Stores the first key of a use, unless another instance was faster. */
    async begin(use: KeyUse): Promise<void> {
      await insert(db, use, 1, clock.now());
    },

    /** Publishes the successor, which signs from then on; an existing one signs earlier if needed. */
    succeed: (use: KeyUse, signsFrom: Date, cause: 'age' | 'command'): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        const keys = await read(transaction, use);
        const newest = keys.at(-1);
        if (!newest) return;
        const isPublished = signingKeyState(newest, keys, clock.now()) === 'next';
        if (isPublished && newest.signsFrom <= signsFrom) return;
        const before = isPublished ? keys.at(-2) : newest;
        if (isPublished) await setTimes(transaction, newest.kid, { signs_from: signsFrom });
        else if (!(await insert(transaction, use, newest.generation + 1, signsFrom))) return;
        if (before)
          await setTimes(transaction, before.kid, { ends_at: signingKeyEnd(use, signsFrom) });
        await audit(
          { kind: 'keys.rotated', details: { use, cause, signsFrom: signsFrom.toISOString() } },
          transaction,
        );
      }),

    /**
     * Retires a key at once: its signatures are refused from now on.
     * @throws OperatorError when it is still needed
     */
    retire: (kid: string): Promise<StoredSigningKey> =>
      db.transaction().execute(async (transaction) => {
        const found = (await read(transaction)).find((key) => key.kid === kid);
        if (!found) throw new OperatorError(fill(keyCommand.unknown, { kid }));
        const keys = await read(transaction, found.use);
        const state = signingKeyState(found, keys, clock.now());
        if (state === 'signs') throw new OperatorError(fill(keyCommand.stillSigns, { kid }));
        await transaction.deleteFrom('server_keys').where('kid', '=', kid).execute();
        const before = keys.findLast((key) => key.generation < found.generation);
        // The successor never signed: its predecessor continues.
        if (state === 'next' && before) await setTimes(transaction, before.kid, { ends_at: null });
        await audit({ kind: 'keys.retired', details: { use: found.use, kid } }, transaction);
        return found;
      }),

    /** Deletes keys that verify no longer. */
    async purge(): Promise<void> {
      await db.deleteFrom('server_keys').where('ends_at', '<', clock.now()).execute();
    },
  };
}
