import type { AccountKeys } from '#contract/my-account.ts';
import type { Texts } from '#locales/catalogue.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { whileFresh } from '../administration/freshness.ts';
import { removePasskey } from '../administration/passkeys.ts';
import { deviceText } from '../accounts/device-text.ts';
import type { ServerContext } from '../core/context.ts';
import { findHandle, isForgotten, listKeys } from '../proofs/passkeys/key-store.ts';
import { type AccountForms, idsOf, textOf } from './account-page.ts';
import type { StepUp } from './step-up.ts';

/** Returns the saved keys of an account, as its pages show them; `null`: keys are switched off. */
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

/** Creates the form of the saved keys: it removes one. Saving one needs the browser's script (`passkeys.routes.ts`). */
export function createKeys(context: ServerContext, stepUp: StepUp): AccountForms {
  return {
    async myKeys(me, sent) {
      const page = pathOf('myKeys');
      if (!(await stepUp.isFreshIn(me))) return { page };
      const name = await whileFresh(context, idsOf(me), (db) =>
        removePasskey({ ...context, db }, me.loggedInUserId, textOf(sent, 'key')),
      );
      context.outbox.wake();
      return { page: name === null ? page : `${page}?removed=1` };
    },
  };
}
