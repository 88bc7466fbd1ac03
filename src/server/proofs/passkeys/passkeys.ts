import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { KeyAssertion } from '#contract/passkeys.ts';
import type { Data } from '#contract/index.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import { isClosedToOthers, lockAccount } from '../../accounts/account-store.ts';
import type { KeyConfig } from '../../config/key-config.ts';
import type { ServerContext, Session } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { Caller, Visit } from '../../http/visit-cookie.ts';
import { createCheckKey } from './check-key.ts';
import { insertChallenge } from './key-challenges.ts';
import { keyDescriptor, listKeys } from './key-store.ts';
import { createMakeKey, type MakeKeyPorts } from './make-key.ts';

export type Passkeys = ReturnType<typeof createPasskeys>;

type Ports = MakeKeyPorts & {
  /** Starts a sign-in at 'verified', and returns its id. */
  readonly beginWithKey: (
    transaction: Db,
    visit: Visit,
    of: { readonly userId: number; readonly entrance: Entrance },
  ) => Promise<string>;
  /** Ends the other sign-ins of the visit: one person at a time. */
  readonly endOthers: (visit: Visit, signInId: string) => Promise<void>;
  readonly recordStepUp: (transaction: Db, signInId: string, now: Date) => Promise<void>;
};

/** Creates passkeys: making them, signing in and stepping up by them. */
export function createPasskeys(context: ServerContext, config: KeyConfig, ports: Ports) {
  const { db, clock, audit } = context;
  const check = createCheckKey(context, config, ports);

  return {
    ...createMakeKey(context, config, ports),

    /** Returns the options for using a key; `person` for a step-up. */
    async request(visit: Visit, person: Session | null) {
      const keys = person ? await listKeys(db, person.userId) : [];
      const options = await generateAuthenticationOptions({
        rpID: config.rpId,
        userVerification: 'required',
        allowCredentials: keys.map(keyDescriptor),
      });
      const purpose = person ? 'stepUp' : 'signIn';
      const { userId = null, signInId: subject = visit.id } = person ?? {};
      const challenge = { visitId: visit.id, purpose, subject, userId } as const;
      await insertChallenge(db, options.challenge, challenge, clock.now());
      return options;
    },

    /**
     * Signs in by a key: both steps at once.
     * @returns the started sign-in where the key was right
     * @throws AppError ACCOUNT_SUSPENDED
     */
    async signIn(
      answer: KeyAssertion,
      caller: Caller,
      entrance: Entrance,
    ): Promise<Data<'signInWithKey'> & { readonly started: Session | null }> {
      const { visit, ip } = caller;
      let signInId: string | null = null;
      const checked = await check(answer, caller, {
        purpose: 'signIn',
        subject: visit.id,
        userId: null,
        async onRight(transaction, { user_id: userId }) {
          const account = await lockAccount(transaction, userId);
          if (account?.status !== 'active') return;
          if (await isClosedToOthers(transaction, userId, context.config.console)) return;
          signInId = await ports.beginWithKey(transaction, visit, { userId, entrance });
          await audit({ kind: 'signIn.key', userId, visitId: visit.id, ip }, transaction);
        },
      });
      if (checked.kind !== 'right') {
        const outcome = checked.kind;
        return { outcome, forgets: 'forgets' in checked && checked.forgets, started: null };
      }
      const userId = checked.key.user_id;
      if (signInId === null && (await isClosedToOthers(db, userId, context.config.console))) {
        return { outcome: 'refused', forgets: false, started: null };
      }
      if (signInId === null) {
        // Both factors were right: now, and only now, the suspension is told.
        await audit({ kind: 'signIn.suspended', userId, visitId: visit.id, ip });
        throw new AppError('ACCOUNT_SUSPENDED');
      }
      await ports.endOthers(visit, signInId);
      return { outcome: 'signedIn', forgets: false, started: { userId, signInId } };
    },

    /** Proves by a key that the person of a session is still there. @returns whether the key was right */
    async stepUp(answer: KeyAssertion, caller: Caller, { userId, signInId }: Session) {
      const { visit, ip } = caller;
      const { kind } = await check(answer, caller, {
        purpose: 'stepUp',
        subject: signInId,
        userId,
        async onRight(transaction) {
          await ports.recordStepUp(transaction, signInId, clock.now());
          await audit({ kind: 'key.stepUp', userId, visitId: visit.id, ip }, transaction);
        },
      });
      return kind === 'right';
    },
  };
}
