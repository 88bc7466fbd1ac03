/** `porchlight keys`: what an operator does with keys and secrets, beside running instances or without them. */

import { type Command, type CommandContext, output, readWords, wrongUsage } from './command.ts';
import type { KeyUse } from '../db/schema.ts';
import { fill } from '#locales/fill.ts';
import { keyCommand as texts } from '#locales/en/key-command.ts';
import { later } from '../clock.ts';
import { createSigningKeyStore, type StoredSigningKey } from '../crypto/signing-key-store.ts';
import { reEncrypt } from '../crypto/re-encrypt.ts';
import { CACHE_LIFE_MS, HURRY_MS, KEY_USES, stateOf } from '../crypto/rotation-schedule.ts';

type Deps = Pick<CommandContext, 'db' | 'clock' | 'secretBox' | 'audit'>;
type Outcome = { readonly lines: readonly string[]; readonly failed: boolean };

export const keys: Command = (words) => {
  parse(words);
  return (at) =>
    at.withDatabase(async (context) => {
      const { lines, failed } = await runKeyCommand(context, words);
      return output(lines, { lines }, failed);
    });
};

const isKeyUse = (text: string): text is KeyUse => (KEY_USES as readonly string[]).includes(text);

/**
 * Does what the words of the command line ask for.
 * @throws OperatorError with one sentence for the operator.
 */
export async function runKeyCommand(deps: Deps, args: readonly string[]): Promise<Outcome> {
  const { clock, secretBox } = deps;
  const store = createSigningKeyStore(deps);
  const { verb, rest, uses, isHurry } = parse(args);

  switch (verb) {
    case 'list':
      return done(...(await list()));
    case 'rotate':
      return done(texts.rotated, ...(await rotate()));
    case 'retire': {
      const { kid, use } = await store.retire(rest[0] ?? '');
      return done(fill(texts.retired, { kid, use }), ...(await list()));
    }
    case 'reseal': {
      const { count, fresh, lost } = await reEncrypt(deps);
      const counts = fill(texts.resealed, { count, fresh });
      if (lost === 0) return done(counts, texts.sealDone);
      return { lines: [counts, fill(texts.sealLost, { lost })], failed: true };
    }
  }

  async function rotate(): Promise<readonly string[]> {
    const signsFrom = later(clock.now(), isHurry ? HURRY_MS : CACHE_LIFE_MS);
    for (const use of uses.length > 0 ? uses : KEY_USES) {
      await store.succeed(use, signsFrom, 'command');
    }
    return list();
  }

  async function list(): Promise<readonly string[]> {
    const keys = await store.list();
    if (keys.length === 0) return [texts.noKeys];
    return KEY_USES.flatMap((use) => {
      const ofUse = keys.filter((key) => key.use === use);
      return ofUse.map((key) => rowOf(key, ofUse));
    });
  }

  function rowOf(key: StoredSigningKey, ofUse: readonly StoredSigningKey[]): string {
    const row = { use: key.use.padEnd(7), kid: key.kid, state: describe(key, ofUse) };
    return secretBox.isEncryptedWithCurrent('server-key', key.sealed)
      ? fill(texts.row, row)
      : fill(texts.rowOfEarlierSecret, row);
  }

  function describe(key: StoredSigningKey, ofUse: readonly StoredSigningKey[]): string {
    const signsFrom = key.signsFrom.toISOString();
    const endsAt = key.endsAt?.toISOString() ?? '';
    switch (stateOf(key, ofUse, clock.now())) {
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
}

const done = (...lines: readonly string[]): Outcome => ({ lines, failed: false });

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
