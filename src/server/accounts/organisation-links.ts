/** Which account is which person of an organisation (decision 272). */

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';

export type OrganisationLink = Selectable<Tables['organisation_links']>;

/** What an account's link says of its sign-in, where the organisation is on. */
export type LinkStanding = {
  readonly id: string;
  readonly label: string;
  /** The organisation's sign-in is the only way in. */
  readonly isOnly: boolean;
  readonly opensConsole: boolean;
  /** By its roles and its subtenant the account comes in by the organisation, and it was not switched off there. */
  readonly isAdmitted: boolean;
};

/**
 * The column that answers whether an account comes in by its organisation: who has none of the entry's roles, or one
 * beside them, does not. It is read with every session.
 */
export const linkStanding = sql<LinkStanding | null>`(
  select jsonb_build_object('id', o.id, 'label', o.label, 'isOnly', o.is_only, 'opensConsole', o.opens_console,
    'isAdmitted', l.off_at is null and o.subtenant_id = users.subtenant_id and r.ids && o.role_ids
      and r.ids <@ o.role_ids)
  from organisation_links l join organisations o on o.id = l.organisation_id,
    lateral (select array(select role_id from user_roles where user_id = l.user_id) as ids) r
  where l.user_id = users.id and l.ended_at is null and o.is_on)`;

/** Returns the account of a person of an organisation: by issuer and subject, to the letter. */
export async function linkedAccountOf(
  db: Db,
  of: { readonly id: string; readonly issuer: string; readonly subject: string },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('organisation_links')
    .select('user_id')
    .where('issuer', '=', of.issuer)
    .where('subject', '=', of.subject)
    .where('organisation_id', '=', of.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row?.user_id;
}

/** Returns how many accounts each organisation has as linked people. */
export async function linkedPeople(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('organisation_links')
    .select(({ fn }) => ['organisation_id', fn.countAll<string>().as('count')])
    .where('ended_at', 'is', null)
    .groupBy('organisation_id')
    .execute();
  return new Map(rows.map((row) => [row.organisation_id, Number(row.count)]));
}

/** Returns the links of an organisation that have not ended. */
export const openLinks = (db: Db, organisationId: string) =>
  db
    .selectFrom('organisation_links')
    .select(['user_id', 'subject'])
    .where('organisation_id', '=', organisationId)
    .where('ended_at', 'is', null)
    .execute();

/** Returns the link of an account that has not ended, off or not. */
export const linkOf = (db: Db, userId: number): Promise<OrganisationLink | undefined> =>
  db
    .selectFrom('organisation_links')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();

/**
 * Links an account to a person over there: a new row, or one that has ended, whose person chose anew.
 * @returns whether neither was linked
 */
export async function insertLink(
  db: Db,
  row: Insertable<Tables['organisation_links']>,
): Promise<boolean> {
  if (await linkOf(db, row.user_id)) return false;
  const made = await db
    .insertInto('organisation_links')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'subject'])
        .doUpdateSet({ ...row, ended_at: null, off_at: null, scim_id: null, scim_role_ids: [] })
        .where('organisation_links.ended_at', 'is not', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return made !== undefined;
}

/** Ends the link of an account; its row stays, so that it cannot come back by itself. @returns the names over there */
export async function endLink(
  db: Db,
  userId: number,
  now: Date,
  since?: Date,
): Promise<readonly string[]> {
  let links = db
    .updateTable('organisation_links')
    .set({ ended_at: now, off_at: null, offered_at: null, agreed_at: null })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
  // What a directory keeps is no doing of the person.
  if (since) links = links.where('made_at', '>', since).where('scim_id', 'is', null);
  return (await links.returning('shown_name').execute()).map((row) => row.shown_name);
}

/** Changes the open link of an account. @returns whether there was one */
export async function updateLink(
  db: Db,
  userId: number,
  change: Updateable<Tables['organisation_links']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organisation_links')
    .set(change)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How an account is entered. `keptBy`: the name of the organisation whose directory keeps it; `null`: by ways of its own. */
export type Ways = { readonly keptBy: string | null };

/**
 * Returns how an account is entered. Each door that sets a password, key or app code asks this and refuses a kept account
 * (FED-05). An organisation that is switched off keeps none.
 */
export async function waysOf(db: Db, userId: number): Promise<Ways> {
  const kept = await db
    .selectFrom('organisation_links as link')
    .innerJoin('organisations', 'organisations.id', 'link.organisation_id')
    .select('organisations.label')
    .where('link.user_id', '=', userId)
    .where('link.ended_at', 'is', null)
    .where('organisations.is_on', '=', true)
    // A deleted person has no id there any more, and is off.
    .where((eb) => eb.or([eb('link.scim_id', 'is not', null), eb('link.off_at', 'is not', null)]))
    .executeTakeFirst();
  return { keptBy: kept?.label ?? null };
}

/** Returns whether an account's mailbox is in a mail domain of the organisation that it is linked to: a code there is none of the person's own. */
export async function hasOrganisationMailbox(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('organisation_links as link')
    .innerJoin('users', 'users.id', 'link.user_id')
    .innerJoin('organisation_domains as domains', (join) =>
      join
        .onRef('domains.organisation_id', '=', 'link.organisation_id')
        .on(sql<boolean>`domains.domain = substring(users.email_canonical from '[^@]*$')`),
    )
    .select('domains.domain')
    .where('link.user_id', '=', userId)
    .where('link.ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the label of an organisation that would take an account by its roles, and whose sign-in found no account in a
 * browser of this account; `null`: none.
 */
export async function triedWithoutLink(
  db: Db,
  userId: number,
  since: Date,
): Promise<string | null> {
  const { rows } = await sql<{ label: string }>`
    select o.label from organisations o
    join users on users.subtenant_id = o.subtenant_id,
      lateral (select array(select role_id from user_roles where user_id = users.id) as ids) r
    where users.id = ${userId} and o.is_on and r.ids && o.role_ids and r.ids <@ o.role_ids
      and exists (select from audit_events e
        where e.kind = 'organisation.refused' and e.at > ${since} and e.reason = 'unlinked'
          and e.details ->> 'organisationId' = o.id and e.visit_id in
            (select visit_id from audit_events where user_id = users.id and visit_id is not null))
    limit 1`.execute(db);
  return rows[0]?.label ?? null;
}

/** Returns whether the last sign-in by an organisation since a moment failed because its provider gave no answer. */
export async function wasAway(db: Db, id: string, since: Date): Promise<boolean> {
  const last = await db
    .selectFrom('audit_events')
    .select(sql<string | null>`details ->> 'error'`.as('error'))
    .where('kind', 'in', ['organisation.refused', 'signIn.organisation'])
    .where('at', '>', since)
    .where(sql`details ->> 'organisationId'`, '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.error === 'noAnswer' || last?.error === 'noPage';
}
