import { fill } from '#locales/fill.ts';
import { keyCommand as texts } from '#locales/operator/key-command.ts';
import { later } from '../core/clock.ts';
import { OperatorError } from '../config/operator-error.ts';
import { CACHE_LIFE_MS, HURRY_MS, KEY_USES, signingKeyState } from './rotation-schedule.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import type { KeyUse } from '../db/schema.ts';
import type { AdminContext } from '../core/context.ts';

type Context = Pick<AdminContext, 'db' | 'clock' | 'secretBox' | 'audit'>;

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number];

/** Returns the signing keys by their use, the oldest first. */
export async function listKeys(context: Context) {
  const all = await createSigningKeyStore(context).list();
  return KEY_USES.flatMap((use) => {
    const ofUse = all.filter((key) => key.use === use);
    return ofUse.map((key) => {
      const { kid, generation, signsFrom, endsAt, sealed } = key;
      const state = signingKeyState(key, ofUse, context.clock.now());
      // Then it waits for `keys reseal`.
      const isUnderEarlierSecret = !context.secretBox.isEncryptedWithCurrent('server-key', sealed);
      return { use, kid, generation, state, signsFrom, endsAt, isUnderEarlierSecret };
    });
  });
}

/** Publishes the successors of the keys of these uses; of all uses when none is named. */
export async function rotateKeys(context: Context, uses: readonly KeyUse[], isHurry: boolean) {
  const signsFrom = later(context.clock.now(), isHurry ? HURRY_MS : CACHE_LIFE_MS);
  for (const use of uses.length > 0 ? uses : KEY_USES) {
    await createSigningKeyStore(context).succeed(use, signsFrom, 'command');
  }
}

/** @throws OperatorError */
export function keyUseIn(word: string): KeyUse {
  const use = KEY_USES.find((each) => each === word);
  if (use) return use;
  throw new OperatorError(fill(texts.badUse, { word, uses: KEY_USES.join(', ') }));
}

/** Returns the state of a key in words, with its times as `timeOf` writes them. */
export function keyStateText(
  { state, signsFrom: from, endsAt: end }: ListedKey,
  timeOf: (at: Date) => string = (at) => at.toISOString(),
): string {
  const signsFrom = timeOf(from);
  const endsAt = end ? timeOf(end) : '';
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
