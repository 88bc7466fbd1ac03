/** `porchlight keys`: what an operator does with keys and secrets, beside running instances or without them. */

import type { Audit } from '#server/audit/audit.ts';
import {
  type Command,
  type CommandContext,
  output,
  type Output,
  readWords,
  wrongUsage,
} from './command.ts';
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

type Deps = Pick<CommandContext, 'db' | 'clock' | 'secretBox'> & { readonly audit: Audit };
type ListedKey = {
  readonly use: KeyUse;
  readonly kid: string;
  readonly state: KeyState;
  readonly signsFrom: Date;
  readonly endsAt: Date | null;
  /** It waits for `keys reseal`. */
  readonly isUnderEarlierSecret: boolean;
};

export const keys: Command = (words) => {
  parse(words);
  return (at) => at.withDatabase((context) => runKeyCommand(context, words));
};

const isKeyUse = (text: string): text is KeyUse => (KEY_USES as readonly string[]).includes(text);

/**
 * Does what the words of the command line ask for.
 * @throws OperatorError with one sentence for the operator.
 */
export async function runKeyCommand(deps: Deps, args: readonly string[]): Promise<Output> {
  const { clock, secretBox } = deps;
  const store = createSigningKeyStore(deps);
  const { verb, rest, uses, isHurry } = parse(args);

  switch (verb) {
    case 'list':
      return listed();
    case 'rotate': {
      const signsFrom = later(clock.now(), isHurry ? HURRY_MS : CACHE_LIFE_MS);
      for (const use of uses.length > 0 ? uses : KEY_USES) {
        await store.succeed(use, signsFrom, 'command');
      }
      return listed(texts.rotated);
    }
    case 'retire': {
      const { kid, use } = await store.retire(rest[0] ?? '');
      return listed(fill(texts.retired, { kid, use }));
    }
    case 'reseal': {
      const counts = await reEncrypt(deps);
      const { count, fresh, lost } = counts;
      const end = lost === 0 ? texts.sealDone : fill(texts.sealLost, { lost });
      return output([fill(texts.resealed, { count, fresh }), end], counts, lost > 0);
    }
  }

  async function listed(...said: readonly string[]): Promise<Output> {
    const all = await store.list();
    const keys = KEY_USES.flatMap((use) => {
      const ofUse = all.filter((key) => key.use === use);
      return ofUse.map((key): ListedKey => {
        const { kid, signsFrom, endsAt, sealed } = key;
        const state = stateOf(key, ofUse, clock.now());
        const isUnderEarlierSecret = !secretBox.isEncryptedWithCurrent('server-key', sealed);
        return { use, kid, state, signsFrom, endsAt, isUnderEarlierSecret };
      });
    });
    return output([...said, ...(keys.length > 0 ? keys.map(rowOf) : [texts.noKeys])], keys);
  }
}

function rowOf(key: ListedKey): string {
  const row = { use: key.use.padEnd(7), kid: key.kid, state: describe(key) };
  return key.isUnderEarlierSecret ? fill(texts.rowOfEarlierSecret, row) : fill(texts.row, row);
}

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

/** Whether a verb takes so many words, of which so many are uses of keys. */
const TAKES = {
  list: (words: number) => words === 0,
  rotate: (words: number, uses: number) => words === uses,
  retire: (words: number) => words === 1,
  reseal: (words: number) => words === 0,
} as const;
const isVerb = (text: string): text is keyof typeof TAKES => Object.hasOwn(TAKES, text);

function parse(args: readonly string[]) {
  const options = { now: { type: 'boolean', default: false } } as const;
  const { positionals, values } = readWords(args, options, 'keys');
  const [verb = '', ...rest] = positionals;
  const uses = rest.filter(isKeyUse);
  if (!isVerb(verb) || !TAKES[verb](rest.length, uses.length)) throw wrongUsage('keys');
  if (values.now && verb !== 'rotate') throw wrongUsage('keys');
  return { verb, rest, uses, isHurry: values.now };
}
