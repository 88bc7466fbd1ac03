import type { Session } from '../../core/context.ts';
import type { FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import type { Account } from '../../accounts/account-store.ts';
import { AppError } from '../../http/app-error.ts';
import type { Binder } from '../../http/bind.ts';
import { type Caller, callerOf, type Http, type Visit } from '../../http/visit-cookie.ts';
import type { SharedDevices } from '../../counter/shared-devices.ts';
import type { Subtenants } from '../../subtenants/subtenants.ts';
import type { KeyOffers } from './key-offers.ts';
import type { Passkeys } from './passkeys.ts';
import type { Cookies } from '../../core/cookies.ts';

/** The signed-in person of a page, without a bearer: the visit's cookie, in a browser that the account knows. */
export type KeyPerson = {
  readonly account: Account;
  readonly signInId: string;
  /** The person proved a moment ago that it is they. */
  readonly isFresh: boolean;
};

type Deps = {
  /** `null`: switched off. */
  readonly passkeys: Passkeys | null;
  /** A shared device saves no key, and takes none. */
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
  readonly pagePerson: {
    withAccount(visit: Visit, cookies: Cookies): Promise<KeyPerson | null>;
  };
  readonly subtenants: Pick<Subtenants, 'shown'>;
  readonly beginHosted: {
    /** Begins the hosted session with this very answer. */
    afterKey(started: Session, caller: Caller, http: Http): Promise<void>;
  };
  readonly keyOffers: Pick<KeyOffers, 'record'>;
};

/** Binds the calls of passkeys. */
export function bindPasskeys(bindCall: Binder, deps: Deps): void {
  const { sharedDevices, pagePerson, subtenants, keyOffers } = deps;

  const bind: Binder = (name, handler, options) =>
    bindCall(
      name,
      async (call) => {
        if (await sharedDevices.isShared(call.request.cookies)) throw new AppError('NOT_FOUND');
        return handler(call);
      },
      options,
    );

  function on(): Passkeys {
    if (!deps.passkeys) throw new AppError('NOT_FOUND');
    return deps.passkeys;
  }

  /** @throws AppError NO_SESSION; `refusal` for a person who has to prove first that it is they */
  async function personFor(visit: Visit, { cookies }: FastifyRequest, refusal?: ErrorCode) {
    const person = await pagePerson.withAccount(visit, cookies);
    if (!person) throw new AppError('NO_SESSION');
    if (refusal && !person.isFresh) throw new AppError(refusal);
    return person;
  }

  bind('keyRequest', async ({ body, visit, request }) => {
    if (body.use === 'signIn') return { ...(await on().request(visit, null)) };
    const { account, signInId } = await personFor(visit, request);
    return { ...(await on().request(visit, { userId: account.id, signInId })) };
  });
  bind('signInWithKey', async ({ body, visit, ip, request, reply }) => {
    const caller = callerOf(visit, ip, request);
    const { started, ...data } = await on().signIn(body.answer, caller, body.entrance);
    if (started) await deps.beginHosted.afterKey(started, caller, { request, reply });
    return data;
  });
  bind('stepUpWithKey', async ({ body, visit, ip, request }) => {
    const { account, signInId } = await personFor(visit, request);
    const person = { userId: account.id, signInId };
    return { isFresh: await on().stepUp(body.answer, callerOf(visit, ip, request), person) };
  });
  bind('keyCreation', async ({ body, visit, request }) => {
    const { account, signInId } = await personFor(visit, request, 'FORBIDDEN');
    const { name: rpName } = await subtenants.shown(account.subtenant_id);
    const session = { visitId: visit.id, signInId };
    return { ...(await on().options(account, session, { ...body, rpName })) };
  });
  bind('saveKey', async ({ body, visit, ip, request }) => {
    const person = await personFor(visit, request, 'FORBIDDEN');
    const caller = callerOf(visit, ip, request);
    const userAgent = request.headers['user-agent'] ?? '';
    const { name, isByItself } = await on().save(person, body.answer, caller, userAgent);
    await keyOffers.record(person.account.id, isByItself ? 'savedByItself' : 'saved');
    return { name };
  });
  bind('keyOffer', async ({ body, visit, request }) => {
    // Nobody is signed in there.
    const isInField = body.outcome === 'failedInField';
    const person = isInField ? null : await personFor(visit, request);
    await keyOffers.record(person?.account.id ?? null, body.outcome);
    return true;
  });
}
