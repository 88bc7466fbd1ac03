import { fill } from '#locales/fill.ts';
import { keyCommand as texts } from '#locales/operator/key-command.ts';
import {
  keyStateText,
  keyUseIn,
  listKeys,
  type ListedKey,
  rotateKeys,
} from '#server/crypto/key-operations.ts';
import { reEncrypt } from '#server/crypto/re-encrypt.ts';
import { createSigningKeyStore } from '#server/crypto/signing-key-store.ts';
import {
  type CommandContext,
  type CommandOf,
  onDatabase,
  output,
  type Output,
  table,
} from './command.ts';

/** `porchlight keys`: signing keys, and data encrypted under the secret. */
export const keys: CommandOf<'keys'> = {
  list: () => onDatabase((context) => listed(context)),

  rotate(words, { now: isHurry = false }) {
    const uses = words.map(keyUseIn);
    return onDatabase(async (context) => {
      await rotateKeys(context, uses, isHurry);
      return listed(context, texts.rotated);
    });
  },

  retire: ([word = '']) =>
    onDatabase(async (context) => {
      const { kid, use } = await createSigningKeyStore(context).retire(word);
      return listed(context, fill(texts.retired, { kid, use }));
    }),

  reseal: () =>
    onDatabase(async (context) => {
      const counts = await reEncrypt(context);
      const { count, fresh, lost } = counts;
      const end = lost === 0 ? texts.sealDone : fill(texts.sealLost, { lost });
      return output([fill(texts.resealed, { count, fresh }), end], counts, lost > 0);
    }),
};

async function listed(context: CommandContext, ...said: readonly string[]): Promise<Output> {
  const all = await listKeys(context);
  const lines = all.length > 0 ? table(texts.header, all.map(keyCells)) : [texts.noKeys];
  return output([...said, ...lines], all);
}

const keyCells = (key: ListedKey) => [
  key.use,
  key.kid,
  keyStateText(key),
  key.isUnderEarlierSecret ? texts.earlierSecret : '',
];
