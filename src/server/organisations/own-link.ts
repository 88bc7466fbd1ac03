/** A person's own link to their organization: made and ended in My account (ORG-11). */

import type { AccountOrganisation } from '#contract/organisation.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { Account } from '../accounts/account-store.ts';
import { endLink, insertLink, linkOf } from '../accounts/organisation-links.ts';
import type { DeedContext, FullContext } from '../access/context.ts';
import { lockInSession, whileFresh } from '../access/freshness.ts';
import { endAllAccess, endIncompleteSignIns, endOtherSessions } from '../access/sessions.ts';
import { randomId } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { type AccountForms, idsOf, type Me, textOf } from '../forms/account-page.ts';
import { agreeToHandOver } from './hand-over.ts';
import { answeredPerson } from './organisation-sign-ins.ts';
import { findOrganisation, type Organisation } from './organisation-store.ts';
import { possibleFor } from './possible-organisation.ts';
import type { UpstreamPerson } from './upstream.ts';

/** Returns the row of My account; `null`: no organisation is this person's. */
export async function readOwnLink(
  context: Pick<FullContext, 'db' | 'clock' | 'config'>,
  me: Me,
  visit: Visit,
): Promise<AccountOrganisation | null> {
  const { db } = context;
  const link = await linkOf(db, me.loggedInUserId);
  if (link) {
    const organisation = await findOrganisation(db, link.organisation_id);
    const { id = '', label = '' } = organisation ?? {};
    const handOver = link.agreed_at ? 'agreed' : link.offered_at ? 'asked' : null;
    const isKept = link.scim_id !== null;
    return { id, label, linkedAs: link.shown_name, isKept, handOver, asked: null };
  }
  const organisation = await possibleFor(context, me.loggedInUserId);
  if (!organisation) return null;
  const { id, label } = organisation;
  const answered = await answeredPerson(context, visit, { purpose: 'link', about: me.signInId });
  const asked = answered?.organisation_id === id ? answered.shown_name : null;
  return { id, label, linkedAs: null, isKept: false, handOver: null, asked };
}

/** Creates the form of the page: it links the person who signed in over there, by a press, or ends the link. */
export const createOwnLink = (context: FullContext): AccountForms => ({
  myOrganisation: {
    asksProof: () => true,
    refusedAt: 'organisation',
    async run(me, sent, { visit }) {
      const what = textOf(sent, 'do');
      await whileFresh(context, idsOf(me), (db) => {
        const deed = { ...context, db };
        if (what === 'handOver') return agreeToHandOver(deed, me);
        return what === 'link' ? link(deed, me, visit) : unlink(deed, me);
      });
      context.outbox.wake();
      return { page: `${pathOf('myAccount')}?saved=1` };
    },
  },
});

/** @throws AppError NO_SESSION without an answer of this session, LINK_TAKEN for a person who is linked already */
async function link(context: DeedContext, me: Me, visit: Visit): Promise<void> {
  const { db } = context;
  const { loggedInUserId: userId, signInId } = me;
  const account = await lockInSession(db, idsOf(me));
  const answered = await answeredPerson(context, visit, { purpose: 'link', about: signInId });
  const organisation = await possibleFor(context, userId);
  if (!answered?.subject || organisation?.id !== answered.organisation_id) {
    throw new AppError('NO_SESSION');
  }
  const { subject, shown_name: shownName } = answered;
  const who = { subject, shownName: shownName ?? subject, madeBy: 'account' } as const;
  if (!(await makeLink(context, account, organisation, who))) throw new AppError('LINK_TAKEN');
  await db
    .deleteFrom('organisation_sign_ins')
    .where('state_hash', '=', answered.state_hash)
    .execute();
  // Where it is the only way in, what began by another one ends: sessions, and tokens of applications.
  await (organisation.only
    ? endAllAccess(context, db, userId)
    : endIncompleteSignIns(context, userId));
}

/** Links a locked account to a person over there, and tells the account's person. @returns whether neither was linked */
export async function makeLink(
  { db, clock, audit, notifications }: DeedContext,
  account: Account,
  { id: organisationId, issuer, label }: Organisation,
  who: Pick<UpstreamPerson, 'subject' | 'shownName'> & {
    readonly madeBy: 'account' | 'invitation';
  },
): Promise<boolean> {
  const { id: userId } = account;
  const of = { issuer, organisation_id: organisationId, user_id: userId, made_at: clock.now() };
  const { subject, shownName: shown_name, madeBy: made_by } = who;
  if (!(await insertLink(db, { ...of, subject, shown_name, made_by }))) return false;
  await audit({ kind: 'organisation.linked', userId, details: { organisationId } }, db);
  const notice = { kind: 'organisationLinked', words: { label } } as const;
  await notifications.accountNotice(db, account, notice, randomId());
  return true;
}

/** Ends a link that its person made; one that a directory keeps is the organisation's. @throws AppError FORBIDDEN */
async function unlink(context: DeedContext, me: Me): Promise<void> {
  const { db, clock } = context;
  const { loggedInUserId: userId, signInId } = me;
  const account = await lockInSession(db, idsOf(me));
  const there = await linkOf(db, userId);
  if (!there) return;
  if (there.scim_id !== null) throw new AppError('FORBIDDEN');
  const { organisation_id: organisationId } = there;
  const { label = '' } = (await findOrganisation(db, organisationId)) ?? {};
  await endLink(db, userId, clock.now());
  await endOtherSessions(context, userId, signInId);
  await context.audit({ kind: 'organisation.unlinked', userId, details: { organisationId } }, db);
  const notice = { kind: 'organisationUnlinked', words: { label } } as const;
  await context.notifications.accountNotice(db, account, notice, randomId());
}
