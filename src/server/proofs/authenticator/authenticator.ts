import { createHmac, randomInt } from 'node:crypto';
import { readAppCode, RECOVERY_CODES } from '#domain/proofs/authenticator.ts';
import { type Account, findAccount } from '../../accounts/account-store.ts';
import type { ServerContext } from '../../core/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import {
  type AppCode,
  consumeRecoveryCode,
  consumeStep,
  countRecoveryCodes,
  findAppCode,
  findRecoveryCode,
} from './app-code-store.ts';
import { codeStep } from './totp.ts';

/** A typed code that is right: that of a step, or a recovery code. It may have been used before. */
export type AppCodeMatch = { readonly id: string } & (
  | { readonly step: number }
  | { readonly recovery: string }
);

type Deps = {
  readonly accountNotice: (
    db: Db,
    account: Account,
    notice: { readonly kind: 'recoveryCodeUsed'; readonly words: { readonly left: string } },
    cause: string,
  ) => Promise<void>;
};

export type AppCodes = ReturnType<typeof createAppCodes>;

/** Creates the check of codes from an app, and of the recovery codes beside them. */
export function createAppCodes(
  { db, clock, secretBox, audit }: Pick<ServerContext, 'db' | 'clock' | 'secretBox' | 'audit'>,
  { accountNotice }: Deps,
) {
  return {
    /**
     * Returns what a typed code is right for; `otherMinute`: the phone's clock is wrong by a few minutes; `null`: the
     * code is wrong. A code of a coming minute is used up, so that the answer tells no guesser what will be right.
     */
    async match(
      userId: number,
      typed: number | string,
    ): Promise<AppCodeMatch | 'otherMinute' | null> {
      const read = readAppCode(typed);
      const app = read && (await findAppCode(db, userId));
      if (!app) return null;
      const key = secretBox.decrypt('app-code', app.secret);
      if (read.kind === 'app') {
        const { step, isNow } = codeStep(key, read.digits, clock.now()) ?? {};
        if (step === undefined) return null;
        if (isNow) return { id: app.id, step };
        await consumeStep(db, app.id, step);
        return 'otherMinute';
      }
      const recovery = recoveryHash(key, read.digits);
      const isKnown = await findRecoveryCode(db, app.id, recovery);
      return isKnown ? { id: app.id, recovery } : null;
    },

    /** Uses up a right code, in the transaction that accepts it. @returns false for one that was used before */
    async consume(transaction: Db, userId: number, match: AppCodeMatch): Promise<boolean> {
      if ('step' in match) return consumeStep(transaction, match.id, match.step);
      const { id, recovery } = match;
      if (!(await consumeRecoveryCode(transaction, id, recovery, clock.now()))) return false;
      const left = await countRecoveryCodes(transaction, id);
      await audit({ kind: 'account.recoveryCodeUsed', userId, details: { left } }, transaction);
      const account = await findAccount(transaction, userId);
      const notice = { kind: 'recoveryCodeUsed', words: { left: String(left) } } as const;
      if (account) await accountNotice(transaction, account, notice, randomId());
      return true;
    },
  };
}

/** Returns new recovery codes, and their hashes to store. */
export function newRecoveryCodes(key: string) {
  const digits = () => String(randomInt(0, 10 ** 6)).padStart(6, '0');
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(`${randomInt(10 ** 5, 10 ** 6)}${digits()}`);
  return { codes: [...codes], hashes: [...codes].map((code) => recoveryHash(key, code)) };
}

/**
 * The key of the app is the key of the hash, too: it is encrypted anew when the server's secret changes, so that a sheet
 * in a drawer outlives that, and a copy of the database alone opens nothing.
 */
const recoveryHash = (key: AppCode['secret'], code: string): string =>
  createHmac('sha256', key).update(code).digest('base64url');
