/** `porchlight keys`: rotates keys and secrets, with running instances or without. */

import { type CommandContext, type CommandOf, output, type Output, table } from './command.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import type { KeyUse } from '#server/db/schema.ts';
import { fill } from '#locales/fill.ts';
import { keyCommand as texts } from '#locales/operator/key-command.ts';
import { later } from '#server/clock.ts';
import { createSigningKeyStore } from '#server/crypto/signing-key-store.ts';
import { reEncrypt } from '#server/crypto/re-encrypt.ts';
import {
  CACHE_LIFE_MS,
  HURRY_MS,
  KEY_USES,
  type KeyState,
  stateOf,
} from '#server/crypto/rotation-schedule.ts';

type ListedKey = {
  readonly use: KeyUse;
  readonly kid: string;
  readonly state: KeyState;
  readonly signsFrom: Date;
  readonly endsAt: Date | null;
  /** It waits for `keys reseal`. */
  readonly isUnderEarlierSecret: boolean;
};

/** `porchlight keys`: signing keys, and data encrypted under the secret. */
export const keys: CommandOf<'keys'> = {
  list: () => (at) => at.withDatabase((context) => listed(context)),

  rotate(words, { now: isHurry }) {
    const uses = words.map(useIn);
    return (at) =>
      at.withDatabase(async (context) => {
        const signsFrom = later(context.clock.now(), isHurry ? HURRY_MS : CACHE_LIFE_MS);
        for (const use of uses.length > 0 ? uses : KEY_USES) {
          await createSigningKeyStore(context).succeed(use, signsFrom, 'command');
        }
        return listed(context, texts.rotated);
      });
  },

  retire:
    ([word = '']) =>
    (at) =>
      at.withDatabase(async (context) => {
        const { kid, use } = await createSigningKeyStore(context).retire(word);
        return listed(context, fill(texts.retired, { kid, use }));
      }),

  reseal: () => (at) =>
    at.withDatabase(async (context) => {
      const counts = await reEncrypt(context);
      const { count, fresh, lost } = counts;
      const end = lost === 0 ? texts.sealDone : fill(texts.sealLost, { lost });
      return output([fill(texts.resealed, { count, fresh }), end], counts, lost > 0);
    }),
};

function useIn(word: string): KeyUse {
  const use = KEY_USES.find((each) => each === word);
  if (use) return use;
  throw new OperatorError(fill(texts.badUse, { word, uses: KEY_USES.join(', ') }));
}

async function listed(context: CommandContext, ...said: readonly string[]): Promise<Output> {
  const all = await createSigningKeyStore(context).list();
  const keys = KEY_USES.flatMap((use) => {
    const ofUse = all.filter((key) => key.use === use);
    return ofUse.map((key): ListedKey => {
      const { kid, signsFrom, endsAt, sealed } = key;
      const state = stateOf(key, ofUse, context.clock.now());
      const isUnderEarlierSecret = !context.secretBox.isEncryptedWithCurrent('server-key', sealed);
      return { use, kid, state, signsFrom, endsAt, isUnderEarlierSecret };
    });
  });
  const lines = keys.length > 0 ? table(texts.header, keys.map(rowOf)) : [texts.noKeys];
  return output([...said, ...lines], keys);
}

const rowOf = (key: ListedKey) => [
  key.use,
  key.kid,
  describe(key),
  key.isUnderEarlierSecret ? texts.earlierSecret : '',
];

function describe({ state, ...key }: ListedKey): string {
  const signsFrom = key.signsFrom.toISOString();
  const endsAt = key.endsAt?.toISOString() ?? '';
  switch (state) {
    case 'next':
      return fill(texts.next, { signsFrom });
    case 'signs':
      return endsAt
        ? fill(texts.signsUntil, { signsFrom, endsAt })
        : fill(texts.signs, { signsFrom });
    case 'verifies':
      return fill(texts.verifies, { endsAt });
    case 'over':
      return fill(texts.over, { endsAt });
  }
}
