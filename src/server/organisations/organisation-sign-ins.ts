/** Sign-ins over there that are under way: one row each, bound to a visit and an organisation (ORG-06). */

import { MINUTE_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import type { AdminContext } from '../core/context.ts';
import { hashToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { UpstreamPurpose } from '../db/schema.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Organisation } from './organisation-store.ts';
import type { UpstreamExpectation, UpstreamPerson } from './upstream.ts';

type Context = Pick<AdminContext, 'clock' | 'secretBox'> & { readonly db: Db };

const LIFE_MS = 10 * MINUTE_MS;
/** Rows that one visit may have: a tab each. */
const MOST_OF_VISIT = 5;

export type UpstreamStart = {
  readonly purpose: UpstreamPurpose;
  /** The one thing that it is for. */
  readonly about: string;
};

/** Stores what an answer will be compared with. */
export async function insertStart(
  { db, clock, secretBox }: Context,
  visit: Visit,
  { id }: Pick<Organisation, 'id'>,
  { state, nonce, codeVerifier, purpose, about }: UpstreamExpectation & UpstreamStart,
): Promise<void> {
  const earlier = db
    .selectFrom('organisation_sign_ins')
    .select('state_hash')
    .where('visit_id', '=', visit.id)
    .orderBy('expires_at', 'desc')
    .offset(MOST_OF_VISIT - 1);
  await db.deleteFrom('organisation_sign_ins').where('state_hash', 'in', earlier).execute();
  await db
    .insertInto('organisation_sign_ins')
    .values({
      state_hash: hashToken(state),
      organisation_id: id,
      visit_id: visit.id,
      purpose,
      about,
      nonce,
      code_verifier: secretBox.encrypt('organisation', codeVerifier),
      expires_at: later(clock.now(), LIFE_MS),
    })
    .execute();
}

/** Consumes the row of an answer: once, in its own visit and for its own organisation. @returns `null` for none */
export async function takeStart(
  { db, clock, secretBox }: Context,
  visit: Visit,
  answer: { readonly organisationId: string; readonly state: string },
): Promise<(UpstreamExpectation & UpstreamStart) | null> {
  const now = clock.now();
  const row = await db
    .updateTable('organisation_sign_ins')
    .set({ used_at: now })
    .where('state_hash', '=', hashToken(answer.state))
    .where('visit_id', '=', visit.id)
    .where('organisation_id', '=', answer.organisationId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  const { nonce, purpose, about } = row;
  const codeVerifier = secretBox.decrypt('organisation', row.code_verifier);
  return { state: answer.state, nonce, codeVerifier, purpose, about };
}

/** Stores the person of an answer, for the page that follows. */
export async function recordPerson(
  db: Db,
  state: string,
  { subject, shownName }: UpstreamPerson,
): Promise<void> {
  await db
    .updateTable('organisation_sign_ins')
    .set({ subject, shown_name: shownName })
    .where('state_hash', '=', hashToken(state))
    .execute();
}

/** Returns the newest answered person of a visit for a purpose, while its page may be shown. */
export const answeredPerson = (
  { db, clock }: Omit<Context, 'secretBox'>,
  visit: Visit,
  { purpose, about }: { readonly purpose: UpstreamPurpose; readonly about?: string },
) =>
  db
    .selectFrom('organisation_sign_ins')
    .select(['state_hash', 'organisation_id', 'subject', 'shown_name'])
    .where('visit_id', '=', visit.id)
    .where('purpose', '=', purpose)
    .where('subject', 'is not', null)
    .where('expires_at', '>', clock.now())
    .$if(about !== undefined, (query) => query.where('about', '=', about ?? ''))
    .orderBy('used_at', 'desc')
    .limit(1)
    .executeTakeFirst();
