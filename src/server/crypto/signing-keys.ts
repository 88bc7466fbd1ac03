/** The keys that this instance signs and verifies with, in step with the database (ARC-04). */

import type { KeyUse } from '../db/schema.ts';
import type { JWK } from 'jose';
import { createSigningKeyStore, type StoredSigningKey } from './signing-key-store.ts';
import type { ServerContext } from '../core/context.ts';
import type { Task } from '../core/task.ts';
import { dueSuccessor, inOrder, KEY_USES, REFRESH_MS } from './rotation-schedule.ts';

export type Key = { readonly kid: string; readonly jwk: JWK };

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>;

type Deps = Pick<ServerContext, 'db' | 'clock' | 'secretBox'> & {
  readonly audit: (...entry: Parameters<ServerContext['audit']>) => Promise<void>;
  readonly maxAgeMs: number;
};

/**
 * Opens the keys, and creates missing ones at a first start.
 * @throws OperatorError when the configured secret does not decrypt them
 */
export async function openSigningKeys(deps: Deps) {
  const { clock, maxAgeMs } = deps;
  const store = createSigningKeyStore(deps);
  const listeners: (() => void)[] = [];
  let rows: readonly StoredSigningKey[] = [];
  let opened = new Map<string, Key>();
  let announced = '';

  const ofUse = (use: KeyUse) => rows.filter((key) => key.use === use);
  const kids = () =>
    KEY_USES.flatMap((use) => inOrder(ofUse(use), clock.now()).map((key) => key.kid)).join();

  async function read(): Promise<void> {
    const found = await store.list();
    const next = new Map<string, Key>();
    let failure: unknown;
    for (const row of found) {
      try {
        next.set(row.kid, opened.get(row.kid) ?? { kid: row.kid, jwk: store.open(row) });
      } catch (error) {
        // A key that this instance cannot decrypt does not keep the others.
        failure = error;
      }
    }
    [rows, opened] = [found, next];
    if (failure !== undefined) throw failure;
  }

  async function makeMissing(): Promise<void> {
    const missing = KEY_USES.filter((use) => ofUse(use).length === 0);
    await Promise.all(missing.map(store.begin));
    if (missing.length > 0) await read();
  }

  async function publishDue(): Promise<void> {
    for (const use of KEY_USES) {
      const newest = ofUse(use).at(-1);
      const signsFrom = newest && dueSuccessor(newest, clock.now(), maxAgeMs);
      if (!signsFrom) continue;
      await store.succeed(use, signsFrom, 'age');
      await read();
    }
  }

  /** Reads the keys, and publishes a due successor. */
  async function refresh(): Promise<void> {
    const reading = read();
    await reading.catch(() => undefined);
    await publishDue();
    if (rows.some((key) => key.endsAt && key.endsAt < clock.now())) await store.purge();
    const now = kids();
    if (now !== announced) {
      announced = now;
      for (const listener of listeners) listener();
    }
    await reading;
  }

  await read();
  await makeMissing();
  announced = kids();

  return {
    /** Returns the signing key, then the next one and those that still verify. */
    current: (use: KeyUse): readonly Key[] =>
      inOrder(ofUse(use), clock.now()).flatMap((row) => opened.get(row.kid) ?? []),
    refresh,
    /** Calls the listener when a key was added, removed, or began to sign. */
    onChange: (listener: () => void): void => void listeners.push(listener),
  };
}

/** Follows the keys of other instances, and rotates. */
export const keyRefresh = ({ refresh }: SigningKeys): Task => ({
  everyMs: REFRESH_MS,
  firstAfterMs: REFRESH_MS,
  run: refresh,
  failed: 'the keys will be read again',
});
