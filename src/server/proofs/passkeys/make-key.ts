import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server';
import { browserName } from '#domain/text/browser-name.ts';
import { freeName, MOST_KEYS } from '#domain/proofs/passkeys.ts';
import { keyMakers, otherKeys } from '#texts/key-makers.ts';
import type { KeyCreation } from '#contract/passkeys.ts';
import { storedBrowser } from '../../accounts/device-text.ts';
import { type Account, shownNameOf } from '../../accounts/account-store.ts';
import { waysOf } from '../../accounts/organisation-links.ts';
import type { KeyConfig } from '../../config/key-config.ts';
import type { ServerContext, Session } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { challengeIn } from './answers.ts';
import { consumeChallenge, insertChallenge } from './key-challenges.ts';
import { keyDescriptor, accountHandle, insertKey, listKeys } from './key-store.ts';

export type MakeKeyPorts = Pick<Notifications, 'accountNotice'> & {
  /** Runs an act in a transaction, while the proof of a session is fresh. @throws AppError NO_SESSION */
  readonly whileFresh: <Result>(
    session: Session,
    act: (transaction: Db) => Promise<Result>,
  ) => Promise<Result>;
};

/** Creates the making of keys (WebAuthn Level 3, 7.1), without attestation: any device that people have is welcome. */
export function createMakeKey(
  { db, clock, config, audit, outbox }: ServerContext,
  { rpId, isAutomatic }: KeyConfig,
  { accountNotice, whileFresh }: MakeKeyPorts,
) {
  const origin = new URL(config.publicUrl).origin;

  async function verified(answer: KeyCreation, challenge: string, isByItself: boolean) {
    try {
      const { authenticatorAttachment: _, ...rest } = answer;
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...rest, clientExtensionResults: {} } as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserPresence: !isByItself,
        requireUserVerification: !isByItself,
      });
      return registrationInfo ?? null;
    } catch {
      return null;
    }
  }

  return {
    /** Returns the options for a new key. `isByItself`: the browser may make it without asking the person. */
    async options(
      account: Account,
      { visitId, signInId }: { readonly visitId: string; readonly signInId: string },
      { isByItself, rpName }: { readonly isByItself: boolean; readonly rpName: string },
    ) {
      if (isByItself && !isAutomatic) throw new AppError('FORBIDDEN');
      if ((await waysOf(db, account.id)).keptBy !== null)
        throw new AppError('KEPT_BY_ORGANISATION');
      const keys = await listKeys(db, account.id);
      if (keys.length >= MOST_KEYS) throw new AppError('KEY_REFUSED');
      const options = await generateRegistrationOptions({
        rpName,
        rpID: rpId,
        userName: account.email,
        userDisplayName: shownNameOf(account),
        userID: new Uint8Array(Buffer.from(await accountHandle(db, account.id), 'base64url')),
        attestationType: 'none',
        excludeCredentials: keys.map(keyDescriptor),
        authenticatorSelection: {
          residentKey: 'required',
          userVerification: isByItself ? 'preferred' : 'required',
        },
      });
      const purpose = isByItself ? 'createByItself' : 'create';
      const challenge = { visitId, purpose, subject: signInId, userId: account.id } as const;
      await insertChallenge(db, options.challenge, challenge, clock.now());
      return options;
    },

    /** Stores a new key. @returns its name @throws AppError KEY_REFUSED, CONFLICT, NO_SESSION */
    async save(
      { account, signInId }: { readonly account: Account; readonly signInId: string },
      answer: KeyCreation,
      { visit, ip }: Caller,
      userAgent: string,
    ) {
      const now = clock.now();
      const challenge = challengeIn(answer);
      const from = { visitId: visit.id, subject: signInId, userId: account.id } as const;
      const purposes = ['create', 'createByItself'] as const;
      const purpose = await consumeChallenge(db, challenge, { ...from, purposes }, now);
      const isByItself = purpose === 'createByItself';
      const made = purpose && (await verified(answer, challenge, isByItself));
      if (!made) {
        await audit({ kind: 'key.refused', userId: account.id, ip, reason: 'unverified' });
        throw new AppError('KEY_REFUSED');
      }
      const { credential, aaguid, credentialDeviceType, credentialBackedUp } = made;
      const session = { userId: account.id, signInId };
      const name = await whileFresh(session, async (transaction) => {
        if ((await waysOf(transaction, account.id)).keptBy !== null)
          throw new AppError('KEPT_BY_ORGANISATION');
        const taken = (await listKeys(transaction, account.id)).map((key) => key.name);
        // Several pages may have asked while there was room for one.
        if (taken.length >= MOST_KEYS) throw new AppError('KEY_REFUSED');
        const free = freeName(keyName(aaguid, answer, userAgent), taken);
        const isNew = await insertKey(transaction, {
          credential_id: credential.id,
          user_id: account.id,
          public_key: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          transports: [...(credential.transports ?? [])],
          is_syncable: credentialDeviceType === 'multiDevice',
          is_synced: credentialBackedUp,
          aaguid,
          name: free,
          rp_id: rpId,
          added_at: now,
        });
        if (!isNew) throw new AppError('CONFLICT');
        await recordDomain(transaction, rpId);
        await accountNotice(
          transaction,
          account,
          { kind: 'keyAdded', words: { key: free } },
          `key-added:${account.id}:${now.getTime()}`,
        );
        const details = { isByItself, isSynced: credentialBackedUp };
        await audit(
          { kind: 'key.added', userId: account.id, visitId: visit.id, ip, details },
          transaction,
        );
        return free;
      });
      outbox.wake();
      return { name, isByItself };
    },
  };
}

/** Stores the domain at the first key: a start with another one is refused (`key-domain.ts`). */
async function recordDomain(db: Db, rpId: string): Promise<void> {
  await db
    .insertInto('key_domain')
    .values({ rp_id: rpId })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ rp_id: rpId }))
    .execute();
}

/** Returns the name of a key in words that people know: its maker, else the kind of device. */
function keyName(aaguid: string, answer: KeyCreation, userAgent: string): string {
  const maker = keyMakers[aaguid];
  if (maker !== undefined) return maker;
  if (answer.authenticatorAttachment === 'cross-platform') return otherKeys.securityKey;
  const browser = browserName(userAgent);
  return browser ? storedBrowser(browser) : otherKeys.unknownDevice;
}
