/** `porchlight user keys` and `remove-key`: the passkeys of a person. */

import { fill } from '#locales/fill.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import type { Account } from '#server/accounts/account-store.ts';
import { removePasskey } from '#server/access/passkeys.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import * as store from '#server/proofs/passkeys/key-store.ts';
import { type CommandContext, tableLines, type Output, output } from './command.ts';

/** Lists the passkeys of a person. The number stands for the long id. */
export async function listKeys({ db }: CommandContext, { id }: Account): Promise<Output> {
  const keys = await store.listKeys(db, id);
  const data = keys.map((key, index) => ({
    key: index + 1,
    name: key.name,
    addedAt: key.added_at.toISOString(),
    lastUsedAt: key.last_used_at?.toISOString() ?? '',
    domain: key.rp_id,
  }));
  return tableLines(data, texts.keysHeader, Object.values);
}

/** Removes one passkey of a person. @throws OperatorError when there is none */
export const removeKey =
  (number: string) =>
  async (context: CommandContext, { id, email }: Account): Promise<Output> => {
    const key = (await store.listKeys(context.db, id))[Number(number) - 1];
    const name = key && (await removePasskey(context, id, key.credential_id));
    if (!name) throw new OperatorError(fill(texts.noKey, { id, key: number }));
    return output([fill(texts.keyRemoved, { id, email, name })], { id, name });
  };
