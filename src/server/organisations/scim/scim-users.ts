/** The people that an organisation's directory keeps (FED-08): each act is one transaction with its event. */

import { sql } from 'kysely';
import { consoleRoleBy, consoleRoleOf } from '#domain/help-desk/console-rights.ts';
import { isRoleId, type RoleId } from '#domain/people/roles.ts';
import { canonicalEmail, EMAIL_RULE } from '#domain/typed/validation.ts';
import type { EventKind } from '#locales/operator/events.ts';
import type { DeedContext } from '../../access/context.ts';
import { administers, findRoleIds, lockAccount } from '../../accounts/account-store.ts';
import { hasAddress } from '../../accounts/addresses.ts';
import { insertLink, openLinks, updateLink } from '../../accounts/organisation-links.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/in-transaction.ts';
import { addAccount, changeRoles, setOffByDirectory } from '../../people/people.ts';
import { setPerson } from '../../people/set-person.ts';
import { adopt } from '../hand-over.ts';
import type { Organisation } from '../organisation-store.ts';
import { listOf, readPage, SCHEMAS } from './scim-documents.ts';
import { invalid, ScimError } from './scim-error.ts';
import {
  patched,
  readFilter,
  readPerson,
  replaced,
  type ScimFilter,
  type ScimPerson,
} from './scim-person.ts';

const notFound = () => new ScimError(404, 'No such person is kept by this directory.');
const taken = (detail: string) => new ScimError(409, detail, 'uniqueness');
const TAKEN_ADDRESS = 'An account has this address already. Ask the operator.';
const TAKEN_SUBJECT =
  'A person with this externalId is there already, or was unlinked. Ask the operator.';

const isGuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Creates the operations of one organisation's directory. */
export function createScimUsers(context: DeedContext, organisation: Organisation) {
  const { config } = context;
  const { id: organisationId, subtenantId, roleMap } = organisation;

  /** Runs an act in a transaction of its own, with the context of its deeds. */
  const act = <T>(work: (own: DeedContext) => Promise<T>): Promise<T> =>
    inTransaction(context.db, (db) => work({ ...context, db }));

  const note = (kind: EventKind, { audit, db }: DeedContext, userId?: number, more: object = {}) =>
    audit({ kind, ...(userId && { userId }), details: { organisationId, ...more } }, db);

  /** Returns the console role of an account of the organisation's subtenant. */
  const consoleRole = ({ userId: id, ...row }: Row) =>
    consoleRoleOf({ ...row, id, subtenantId }, config.console);

  /** Operators and administrators of houses do not exist here. */
  const isShown = (row: Row) => !['operator', 'administrator'].includes(consoleRole(row) ?? '');

  const people = (db: Db) =>
    db
      .selectFrom('organisation_links as link')
      .innerJoin('users', 'users.id', 'link.user_id')
      .select([
        'link.scim_id as id',
        'link.subject as externalId',
        'link.scim_role_ids as given',
        'link.made_at as madeAt',
        'link.off_at as offAt',
        'link.agreed_at as agreedAt',
        'users.id as userId',
        'users.email',
        'users.first_name as givenName',
        'users.last_name as familyName',
        'users.status',
        'users.updated_at as updatedAt',
        sql<number[]>`array(select role_id from user_roles where user_id = users.id)`.as('roleIds'),
        administers.as('administers'),
      ])
      .where('link.organisation_id', '=', organisationId)
      .where('link.scim_id', 'is not', null)
      .where('link.ended_at', 'is', null)
      .where('users.subtenant_id', '=', subtenantId);
  type Row = Awaited<ReturnType<ReturnType<typeof people>['execute']>>[number];

  async function findRow(db: Db, id: string): Promise<Row> {
    if (!isGuid(id)) throw notFound();
    const row = await people(db).where('link.scim_id', '=', id).executeTakeFirst();
    if (!row || !isShown(row)) throw notFound();
    return row;
  }

  /** Reads a person again under the account's lock: of two calls at once one reads what the other wrote. */
  async function lockRow(db: Db, id: string): Promise<Row> {
    await lockAccount(db, (await findRow(db, id)).userId);
    return findRow(db, id);
  }

  const personOf = (row: Row): ScimPerson => ({
    userName: row.email,
    // Named by a change alone.
    email: '',
    externalId: row.externalId,
    givenName: row.givenName,
    familyName: row.familyName,
    // What the directory said: staff may have switched the person off besides.
    active: row.offAt === null,
    roles: Object.keys(roleMap).filter((value) => row.given.includes(roleMap[value] ?? 0)),
  });

  function resourceOf(row: Row): object {
    const { userName, externalId, givenName, familyName, roles } = personOf(row);
    const formatted = `${givenName} ${familyName}`.trim();
    return {
      schemas: [SCHEMAS.user],
      id: row.id,
      externalId,
      userName,
      name: { givenName, familyName, formatted },
      displayName: formatted || userName,
      emails: [{ value: userName, type: 'work', primary: true }],
      active: row.status === 'active',
      roles: roles.map((value) => ({ value })),
      meta: {
        resourceType: 'User',
        created: row.madeAt,
        lastModified: row.updatedAt ?? row.madeAt,
        location: `${config.publicUrl}/scim/v2/Users/${row.id}`,
      },
    };
  }

  /** Returns the first address in a mail domain of the organisation. @throws ScimError for none */
  function addressOf(...typed: readonly string[]): string {
    const address = typed.map(EMAIL_RULE.normalize).find(isOwnAddress);
    if (address === undefined) {
      throw invalid('userName, or the work address, must be in a mail domain of the organization.');
    }
    return address;
  }

  const isOwnAddress = (address: string): boolean =>
    EMAIL_RULE.isValid(address) &&
    organisation.domains.includes(canonicalEmail(address).split('@').at(-1) ?? '');

  /** Returns the roles of values, without any that has rights at the console by now. */
  const rolesOf = (values: readonly string[]): readonly RoleId[] =>
    Object.entries(roleMap)
      .filter(([value]) => values.includes(value))
      .map(([, role]) => role)
      .filter(isRoleId)
      .filter((role) => consoleRoleBy(role, subtenantId, config.console) === null);

  /** Gives the roles of values, and takes back those that the directory gave and no longer names. */
  async function applyRoles(own: DeedContext, row: Row, values: readonly string[]) {
    const wanted = rolesOf(values);
    const had = await findRoleIds(own.db, row.userId);
    const give = wanted.filter((role) => !had.includes(role));
    const take = row.given.filter(isRoleId).filter((role) => !wanted.includes(role));
    if (give.length + take.length > 0) await changeRoles(own, row.userId, { give, take });
    const given = [...row.given.filter((role) => wanted.some((each) => each === role)), ...give];
    await updateLink(own.db, row.userId, { scim_role_ids: given });
  }

  /** Returns the address after a change: of the user name, else of the work address where it was named. @throws ScimError */
  function movedTo(now: ScimPerson, next: ScimPerson): string {
    if (next.userName !== now.userName) return addressOf(next.userName, next.email);
    return next.email === '' ? now.userName : addressOf(next.email);
  }

  /** Makes an account what the directory says of it. @throws ScimError */
  async function apply(own: DeedContext, row: Row, next: ScimPerson): Promise<void> {
    const now = personOf(row);
    if (next.externalId !== now.externalId) {
      throw invalid('externalId is the person over there, and stays.', 'mutability');
    }
    // The name and address of a person who was handed over stay the person's own.
    const isOwn = row.agreedAt !== null;
    const email = isOwn ? now.userName : movedTo(now, next);
    const { givenName: firstName, familyName: lastName } = next;
    const isNamed = firstName === now.givenName && lastName === now.familyName;
    const isOther = !isOwn && !(isNamed && email === now.userName);
    const isOtherRole = next.roles.toSorted().join() !== now.roles.toSorted().join();
    if ((isOther || isOtherRole) && consoleRole(row) !== null) {
      throw new ScimError(403, 'A help desk is only switched off and on by a directory.');
    }
    if (isOther) {
      const { kind } = await setPerson(own, row.userId, { firstName, lastName, email });
      if (kind !== 'done') throw taken(TAKEN_ADDRESS);
    }
    if (isOtherRole) await applyRoles(own, row, next.roles);
    if (next.active !== now.active) await setOffByDirectory(own, row.userId, !next.active);
  }

  async function changed(id: string, changeOf: (now: ScimPerson) => ScimPerson): Promise<object> {
    return act(async (own) => {
      const row = await lockRow(own.db, id);
      await apply(own, row, changeOf(personOf(row)));
      await note('scim.changed', own, row.userId);
      return resourceOf(await findRow(own.db, id));
    });
  }

  /** Returns the account of a deleted person who comes back, or of one who was handed over; `null` for a new one. @throws ScimError */
  async function findThere(own: DeedContext, { externalId }: ScimPerson, email: string) {
    const link = await own.db
      .selectFrom('organisation_links')
      .selectAll()
      .where('issuer', '=', organisation.issuer)
      .where('subject', '=', externalId)
      .executeTakeFirst();
    if (!link) return null;
    const isFree =
      link.organisation_id === organisationId && link.ended_at === null && link.scim_id === null;
    const isHere = isFree && (link.off_at !== null || (await adopt(own, link.user_id, email)));
    if (!isHere) throw taken(TAKEN_SUBJECT);
    return link.user_id;
  }

  /** Adds the account and the link of a new person. @returns the account's id */
  async function addPerson(own: DeedContext, person: ScimPerson, email: string): Promise<number> {
    const { givenName: firstName, familyName: lastName } = person;
    const fields = { email, firstName, lastName, phone: '', roleIds: [], subtenantId };
    const account = await addAccount(own, fields, { isOverPending: true });
    if (!account) throw taken(TAKEN_ADDRESS);
    const link = {
      issuer: organisation.issuer,
      subject: person.externalId,
      organisation_id: organisationId,
      user_id: account.id,
      shown_name: `${firstName} ${lastName}`.trim(),
      made_by: 'scim',
      made_at: own.clock.now(),
    } as const;
    // Another call made the same person meanwhile.
    if (!(await insertLink(own.db, link))) throw taken(TAKEN_SUBJECT);
    return account.id;
  }

  return {
    /** Creates a person, brings back a deleted one with the same `externalId`, or adopts one. @throws ScimError */
    async create(body: unknown): Promise<object> {
      const person = readPerson(body);
      const email = addressOf(person.userName, person.email);
      if (person.externalId === '')
        throw invalid('externalId is missing: the person’s id over there.');
      return act(async (own) => {
        const { db } = own;
        const there = await findThere(own, person, email);
        const userId = there ?? (await addPerson(own, person, email));
        const id = crypto.randomUUID();
        await updateLink(db, userId, { scim_id: id });
        const row = await findRow(db, id);
        await apply(own, row, { ...person, userName: email, email: '' });
        await note('scim.created', own, userId, { isBack: there !== null });
        return resourceOf(await findRow(db, id));
      });
    },

    replace: (id: string, body: unknown) => changed(id, (now) => replaced(now, body)),
    patch: (id: string, body: unknown) => changed(id, (now) => patched(now, body)),

    /** Switches a person off for good: the address stays taken, and nothing is erased. @throws ScimError */
    async remove(id: string): Promise<void> {
      await act(async (own) => {
        const { userId } = await lockRow(own.db, id);
        await setOffByDirectory(own, userId, true);
        await updateLink(own.db, userId, { scim_id: null });
        await note('scim.deleted', own, userId);
      });
    },

    async read(id: string): Promise<object> {
      const row = await findRow(context.db, id);
      await note('scim.read', context, row.userId);
      return resourceOf(row);
    },

    /** Returns a page of people, or the one that a filter finds. @throws ScimError */
    async list(query: Readonly<Record<string, unknown>>): Promise<object> {
      const { startIndex, count } = readPage(query);
      const filter = query.filter === undefined ? null : readFilter(query.filter);
      const found = (await matching(filter).execute()).filter(isShown);
      await note('scim.read', context, undefined, { count: found.length });
      const shown = found.slice(startIndex - 1, startIndex - 1 + count);
      return listOf(shown.map(resourceOf), startIndex, found.length);
    },
  };

  function matching(filter: ScimFilter | null) {
    const all = people(context.db).orderBy('link.made_at').orderBy('link.scim_id');
    if (filter === null) return all;
    const { by, value } = filter;
    if (by === 'externalid') return all.where('link.subject', '=', value);
    if (by === 'id') return all.where('link.scim_id', '=', isGuid(value) ? value : null);
    return all.where(hasAddress(value));
  }
}

/** Returns how many people of an organisation whose subject is Entra's object id are linked by another id (FED-09). */
export async function countOddSubjects(
  db: Db,
  { id, subject: claim }: Pick<Organisation, 'id' | 'subject'>,
): Promise<number> {
  if (claim !== 'oid') return 0;
  return (await openLinks(db, id)).filter(({ subject }) => !isGuid(subject)).length;
}
