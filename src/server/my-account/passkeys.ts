import type { AccountKeys } from '#contract/my-account.ts';
import type { Texts } from '#locales/catalogue.ts';
import { deviceText } from '../accounts/device-text.ts';
import type { ServerContext } from '../core/context.ts';
import { findHandle, isForgotten, listKeys } from '../proofs/passkeys/key-store.ts';

/** Returns the passkeys of an account, as its pages show them; `null`: keys are switched off. */
export async function readKeys(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  userId: number,
  texts: Texts,
): Promise<AccountKeys | null> {
  if (!config.keys) return null;
  const { rpId } = config.keys;
  const now = clock.now().getTime();
  const keys = await listKeys(db, userId);
  const ago = (moment: Date) => Math.max(0, now - moment.getTime());
  return {
    rpId,
    isComplete: await isForgotten(db, null, clock.now()),
    handle: (await findHandle(db, userId)) ?? null,
    list: keys.map((key) => ({
      id: key.credential_id,
      name: deviceText(texts, key.name),
      addedAgoMs: ago(key.added_at),
      usedAgoMs: key.last_used_at && ago(key.last_used_at),
      isSynced: key.is_synced,
      needsCode: key.needs_code,
      otherDomain: key.rp_id === rpId ? null : key.rp_id,
    })),
  };
}
