/** Organizations, as pages and sign-ins use them: buttons, the sign-in over there, and what its page says. */

import type { OrganisationPage } from '#contract/organisation.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import { isByOrganisation, lockAccount, readAccount } from '../accounts/account-store.ts';
import { linkedAccountOf } from '../accounts/organisation-links.ts';
import type { FullContext } from '../access/context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Http, Visit } from '../http/visit-cookie.ts';
import type { createBeginHosted } from '../sign-in/begin-hosted.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { linkInvited } from './invited.ts';
import {
  answeredPerson,
  insertStart,
  recordPerson,
  takeStart,
  type UpstreamStart,
} from './organisation-sign-ins.ts';
import { findOrganisation, type Organisation } from './organisation-store.ts';
import { createUpstream, UpstreamError, type UpstreamPerson } from './upstream.ts';

/** Why the page after an answer is shown. */
type Why = OrganisationPage['why'];

type Ports = {
  readonly signIns: Pick<SignIns, 'beginByOrganisation' | 'endOthers' | 'refuseSuspended'>;
  readonly beginHosted: Pick<ReturnType<typeof createBeginHosted>, 'afterOrganisation'>;
  /** An Auth0 tenant has sign-ins of its own: there are no organisations then. */
  readonly isTenant: boolean;
};

export type Organisations = ReturnType<typeof createOrganisations>;

/** Creates the sign-in by organisations. */
export function createOrganisations(context: FullContext, ports: Ports) {
  const { db, audit, config } = context;
  const { signIns } = ports;
  const upstream = createUpstream(context);

  const find = async (id: string): Promise<Organisation | null> => {
    const found = ports.isTenant ? undefined : await findOrganisation(db, id);
    return found?.on ? found : null;
  };

  /** Returns why a person did not come in, for the page that says so; the log has the cause. */
  async function fail({ id }: Organisation, error: unknown, visit: Visit): Promise<Why> {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'LINK_TAKEN') return 'refused';
    if (code === 'ACCOUNT_SUSPENDED') return 'suspended';
    if (!(error instanceof UpstreamError)) throw error;
    const details = { organisationId: id, error: error.fault, cause: error.message };
    await audit({ kind: 'organisation.refused', visitId: visit.id, details });
    return error.fault === 'noAnswer' || error.fault === 'noPage' ? 'down' : 'refused';
  }

  /** Returns the account of an answer, locked, or why it does not come in. */
  async function accountOf(own: Db, of: Organisation, subject: string): Promise<number | Why> {
    const userId = await linkedAccountOf(own, { ...of, subject });
    if (userId === undefined) return 'unlinked';
    await lockAccount(own, userId);
    const account = await readAccount(own, userId);
    // A suspended person is told after the code, as after a password (PRF-09).
    if (account?.status === 'inactive') return userId;
    return account && isByOrganisation(account, config.console) ? userId : 'elsewhere';
  }

  /** Begins the sign-in of an answered person. @returns the next page */
  async function signIn(
    organisation: Organisation,
    person: UpstreamPerson,
    about: string,
    { caller, http }: { readonly caller: Caller; readonly http: Http },
  ): Promise<Why | null> {
    const { visit, ip } = caller;
    const isOfStaff = about.startsWith(pathOf('redirect', 'legalStaff'));
    const entrance: Entrance = isOfStaff ? 'legalStaff' : 'portal';
    const { isSecondStepDone: isVerified } = person;
    const event = { visitId: visit.id, ip, details: { organisationId: organisation.id } };
    const begun = await db.transaction().execute(async (transaction) => {
      const userId = await accountOf(transaction, organisation, person.subject);
      if (typeof userId === 'string') {
        await audit({ ...event, kind: 'organisation.refused', reason: userId }, transaction);
        return userId;
      }
      const start = { userId, entrance, isVerified };
      const signInId = await signIns.beginByOrganisation(transaction, visit, start);
      await audit({ ...event, kind: 'signIn.organisation', userId }, transaction);
      return { userId, signInId };
    });
    if (typeof begun === 'string') return begun;
    await signIns.endOthers(visit, begun.signInId);
    if (!isVerified) return null;
    await signIns.refuseSuspended(begun.signInId, caller);
    await ports.beginHosted.afterOrganisation(begun, caller, http);
    return null;
  }

  return {
    find,

    /** Begins a sign-in over there. @returns the address to go to, or why there is none */
    async begin(
      organisation: Organisation,
      visit: Visit,
      start: UpstreamStart,
    ): Promise<{ readonly url: string } | { readonly why: Why }> {
      try {
        const asksAgain = await hasSignedOut(db, visit);
        const { url, ...expected } = await upstream.begin(organisation, { asksAgain });
        await insertStart(context, visit, organisation, { ...expected, ...start });
        return { url };
      } catch (error) {
        return { why: await fail(organisation, error, visit) };
      }
    },

    /** Takes an answer. @returns what it was for, and the next page or why there is none */
    async answer(
      organisation: Organisation,
      search: string,
      of: { readonly caller: Caller; readonly http: Http },
    ): Promise<{ readonly why: Why } | { readonly page: string }> {
      const { visit } = of.caller;
      const state = new URLSearchParams(search).get('state') ?? '';
      const started = await takeStart(context, visit, { organisationId: organisation.id, state });
      if (!started) return { why: 'refused' };
      try {
        const person = await upstream.redeem(organisation, started, search);
        await recordPerson(db, state, person);
        // The page asks the session that began it, and makes the link by a press.
        if (started.purpose === 'link') return { page: pathOf('myOrganisation') };
        const { purpose, about } = started;
        const isInvited = purpose === 'invitation';
        const isOver =
          isInvited && !(await linkInvited(context, organisation, person, { about, visit }));
        // Its page says that it is over.
        if (isOver) return { page: pathOf('invitation') };
        const page = isInvited ? pathOf('redirect') : about;
        const why = await signIn(organisation, person, page, of);
        return why === null ? { page } : { why };
      } catch (error) {
        return { why: await fail(organisation, error, visit) };
      }
    },

    /** Returns what the page after an answer shows; nothing for another screen, or an organisation that is not there. */
    async page(
      screen: ScreenName,
      query: URLSearchParams,
      visit: Visit | null,
    ): Promise<{ readonly organisation?: OrganisationPage }> {
      if (screen !== 'organisation') return {};
      const organisation = await find(query.get('of') ?? '');
      const why = WHYS.find((each) => each === query.get('why'));
      if (!organisation || !why) return {};
      const { id, label, helpName, helpPhone } = organisation;
      const isUnlinked = why === 'unlinked' && visit !== null;
      const came = isUnlinked && (await answeredPerson(context, visit, { purpose: 'signIn' }));
      const cameAs = came && came.organisation_id === id ? came.shown_name : null;
      return { organisation: { id, label, why, cameAs, helpName, helpPhone } };
    },
  };
}

const WHYS: readonly Why[] = ['unlinked', 'elsewhere', 'suspended', 'down', 'refused'];

/** Returns whether the browser's last sign-in by an organisation has ended: the next one asks who it is. */
async function hasSignedOut(db: Db, visit: Visit): Promise<boolean> {
  const last = await db
    .selectFrom('sign_ins')
    .select('ended_at')
    .where('visit_id', '=', visit.id)
    .where((eb) => eb('amr', '@>', eb.val(['fed'])))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last !== undefined && last.ended_at !== null;
}
