import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { KeyAssertion } from '#contract/passkeys.ts';
import { isCounterAhead } from '#domain/proofs/passkeys.ts';
import { findAccount } from '../../accounts/account-store.ts';
import type { KeyConfig } from '../../config/key-config.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { challengeIn } from './answers.ts';
import { consumeChallenge } from './key-challenges.ts';
import {
  findHandle,
  isForgotten,
  lockKey,
  recordShown,
  recordUse,
  type Passkey,
} from './key-store.ts';

/** Why a key of the account was refused: for the audit log, never for the page. */
type Reason =
  | 'challenge'
  | 'otherAccount'
  | 'otherDomain'
  | 'unverified'
  | 'counterBack'
  | 'removed';

type CheckedKey =
  | { readonly kind: 'right'; readonly key: Passkey }
  /** The key is right, and needs password and code once, because a backup was restored. */
  | { readonly kind: 'codeFirst' }
  | { readonly kind: 'unknown'; readonly forgets: boolean }
  | { readonly kind: 'refused' };

type Use = {
  readonly purpose: 'signIn' | 'stepUp';
  /** The session of a step-up, the visit of a sign-in. */
  readonly subject: string;
  /** The account of a step-up. */
  readonly userId: number | null;
  /** Runs in the transaction that stores the use of a right key. */
  readonly onRight: (transaction: Db, key: Passkey) => Promise<void>;
};

/** Creates the check of a key that a device used (WebAuthn Level 3, 7.2). */
export function createCheckKey(
  { db, clock, config, audit, outbox }: ServerContext,
  { rpId }: KeyConfig,
  { accountNotice }: Pick<Notifications, 'accountNotice'>,
) {
  const origin = new URL(config.publicUrl).origin;

  /** A counter went back: somebody may have a copy of the key. */
  async function tellCopied(transaction: Db, key: Passkey): Promise<void> {
    const account = await findAccount(transaction, key.user_id);
    const notice = { kind: 'keyCopied', words: { key: key.name } } as const;
    const cause = `key-copied:${key.credential_id}`;
    if (account) await accountNotice(transaction, account, notice, cause);
  }

  /** Returns the counter and the backup state of a right signature; `null` for a wrong answer of any kind. */
  async function verify(answer: KeyAssertion, challenge: string, key: Passkey) {
    try {
      const { response, authenticatorAttachment: _, ...rest } = answer;
      // Compared already.
      const { userHandle: __, ...signed } = response;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...rest, response: signed, clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        credential: {
          id: key.credential_id,
          publicKey: new Uint8Array(Buffer.from(key.public_key, 'base64url')),
          // Compared below, where a counter that went back is told apart from a wrong signature.
          counter: 0,
        },
      });
      return verified ? authenticationInfo : null;
    } catch {
      return null;
    }
  }

  return async (answer: KeyAssertion, { visit, ip }: Caller, use: Use): Promise<CheckedKey> => {
    const { purpose, subject, userId, onRight } = use;
    const now = clock.now();
    const challenge = challengeIn(answer);
    const refuse = async (reason: Reason, key?: Passkey, on?: Db): Promise<CheckedKey> => {
      const details = { purpose };
      const of = key?.user_id ?? userId;
      await audit({ kind: 'key.refused', userId: of, visitId: visit.id, ip, reason, details }, on);
      return { kind: 'refused' };
    };
    const from = { visitId: visit.id, purposes: [purpose], subject, userId };
    if ((await consumeChallenge(db, challenge, from, now)) === null) return refuse('challenge');

    const checked = await db.transaction().execute(async (transaction): Promise<CheckedKey> => {
      const key = await lockKey(transaction, answer.id);
      if (!key || key.removed_at) {
        const forgets = await isForgotten(transaction, key?.removed_at, now);
        await refuse('removed', key, transaction);
        return { kind: 'unknown', forgets };
      }
      if (key.rp_id !== rpId) return refuse('otherDomain', key, transaction);
      const handle = await findHandle(transaction, key.user_id);
      const given = answer.response.userHandle ?? (purpose === 'stepUp' ? handle : undefined);
      const isOwn = given === handle && (userId === null || key.user_id === userId);
      if (!isOwn) return refuse('otherAccount', key, transaction);
      const info = await verify(answer, challenge, key);
      if (!info) return refuse('unverified', key, transaction);
      if (!isCounterAhead(Number(key.counter), info.newCounter)) {
        await tellCopied(transaction, key);
        return refuse('counterBack', key, transaction);
      }
      const isFirstAfterRestore = key.needs_code;
      await recordUse(transaction, key.credential_id, {
        counter: info.newCounter,
        is_synced: info.credentialBackedUp,
        last_used_at: isFirstAfterRestore ? key.last_used_at : now,
      });
      if (isFirstAfterRestore) {
        await recordShown(transaction, key.credential_id, visit.id);
        return { kind: 'codeFirst' };
      }
      await onRight(transaction, key);
      return { kind: 'right', key };
    });
    outbox.wake();
    return checked;
  };
}
