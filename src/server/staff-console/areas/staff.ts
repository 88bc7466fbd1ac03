import { sql } from 'kysely';
import type { ListCell, ListRow } from '#contract/console.ts';
import { consoleRoleOf, HELP_DESK_ROLES, personKindOf } from '#domain/help-desk/console-rights.ts';
import { type ConsoleVerb, mayDo } from '#domain/help-desk/console-verbs.ts';
import { isRoleId, ROLE_IDS, ROLES } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import type { FullContext } from '../../access/context.ts';
import { isOperatorRow } from '../../access/last-operator.ts';
import {
  type AccountBeside,
  besideUser,
  consolePersonOf,
  isByOrganisation,
  isOnlyByOrganisation,
  shownNameOf,
} from '../../accounts/account-store.ts';
import type { SubtenantRow } from '../../subtenants/subtenant-store.ts';
import { type DeskSublist, pageOf } from '../desk-area.ts';
import { field, linkTo } from '../form-fields.ts';
import { lastSignInsOf } from '../people/search-people.ts';
import { staffActor, type Staff, staffIdsIn } from '../staff.ts';
import { personPath } from './shown-people.ts';

type Context = Pick<FullContext, 'db' | 'config' | 'audit'>;
type Row = AccountBeside & { readonly hasKey: boolean };

const texts = houseDesk.staff;
/** The administrators and the newest other accounts, so many together; the search of people finds the others. */
const MOST = 200;
const STAFF_ROLES = ROLE_IDS.filter((id) => !HELP_DESK_ROLES.some((each) => each === id));

/**
 * Selects the staff of a house: accounts with a role outside of `HELP_DESK_ROLES` or with console rights, and the
 * administrators. Operators are left out: a house does not know them (HOU-03).
 */
function staffOf({ db, config }: Pick<Context, 'db' | 'config'>, house: number) {
  const grants = config.console;
  const named = grants.flatMap((grant) => ('accountId' in grant ? grant.accountId : []));
  const granted = grants.flatMap((grant) =>
    'roleId' in grant && grant.subtenantId === house ? grant.roleId : [],
  );
  // One set of ids: conditions joined by `or` would read each account of the house.
  const ids = sql`select user_id from user_roles
      where role_id in (${sql.join([...STAFF_ROLES, ...granted])})
    union select user_id from house_administrators where subtenant_id = ${house}
    union select unnest(${named}::bigint[])`;
  return db
    .selectFrom('users')
    .where('subtenant_id', '=', house)
    .where('shadow_of', 'is', null)
    .where(sql<boolean>`users.id in (${ids})`)
    .where((eb) => eb.not(isOperatorRow(grants)));
}

/** Returns the number of a house's staff. */
export async function countStaff(context: Pick<Context, 'db' | 'config'>, house: number) {
  const { count } = await staffOf(context, house)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Writes that an operator looks at the pages of a house. */
export const noteLook = ({ audit }: Pick<Context, 'audit'>, staff: Staff, { id }: SubtenantRow) =>
  audit({ kind: 'house.looked', actor: staffActor(staff), details: { subtenantId: id } });

/** Returns the list of a house's staff, as its administrators and operators see it (HOU-09). */
export function staffList(
  context: Context,
  house: SubtenantRow,
  { path, isHouse }: { readonly path: string; readonly isHouse: boolean },
): DeskSublist {
  const { db, config } = context;
  const phone = config.help.phone.replaceAll(' ', '\u{a0}');
  const lead = isHouse ? texts.list.lead : `${houseDesk.home.asOperator} ${texts.list.lead}`;
  const title = isHouse ? texts.title : fill(texts.titleOf, { name: house.name });
  return {
    name: isHouse ? 'staff' : `staff-${house.id}`,
    path: `${path}/staff`,
    texts: { ...texts.list, title },
    list: {
      isPersonal: true,
      fields: [field('search', 'text', texts.search)],
      links: () => [
        isHouse ? linkTo(texts.invite, 'invite') : { label: house.name, href: `${path}/house` },
      ],
      async read(asked) {
        if (!isHouse) await noteLook(context, asked.staff, house);
        const all = await countStaff(context, house.id);
        const cut = all > MOST ? [fill(texts.newest, { most: MOST, all })] : [];
        const rows = await readRows(asked.staff);
        const last = fill(texts.administratorsOff, { phone });
        return { ...pageOf(rows, asked), lead: [lead, ...cut, last].join(' ') };
      },
    },
  };

  async function readRows(staff: Staff): Promise<readonly ListRow[]> {
    const hasKey = sql<boolean>`exists (select from saved_keys
      where user_id = users.id and removed_at is null)`.as('hasKey');
    const people = await staffOf(context, house.id)
      .selectAll()
      .select(besideUser)
      .select(hasKey)
      .orderBy(sql`administers nulls last`)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(MOST)
      .execute();
    const ids = people.map(({ id }) => id);
    const lastSignIns = await lastSignInsOf(db, ids);
    const offBy = await readOffBy(people);
    return people.map((person) => {
      const kind = personKindOf(staff, consolePersonOf(person), config.console);
      const action = (verb: ConsoleVerb, label: string, href: string) =>
        mayDo(staff.role, verb, kind) ? [{ label, href }] : [];
      const at = lastSignIns.get(person.id)?.getTime();
      const isOn = person.status === 'active';
      return {
        id: String(person.id),
        cells: [
          shownNameOf(person),
          person.id === staff.id ? fill(texts.you, { roles: rolesOf(person) }) : rolesOf(person),
          waysOf(person),
          at === undefined ? texts.never : { at },
          offBy.get(person.id) ?? STATES[person.status],
        ],
        actions: [
          ...action('look', texts.open, personPath(person)),
          ...(isOn ? action('suspend', texts.switchOff, `${personPath(person)}/suspend`) : []),
        ],
      };
    });
  }

  /** Returns who switched accounts off and when, where an event says so that was the house's. */
  async function readOffBy(people: readonly Row[]): Promise<ReadonlyMap<number, ListCell>> {
    const off = people.filter(({ status }) => status === 'inactive').map(({ id }) => id);
    if (off.length === 0) return new Map();
    const names = new Map(people.map((person) => [person.id, shownNameOf(person)]));
    const events = await db
      .selectFrom('audit_events')
      .select(['user_id', 'actor', 'at'])
      .where('user_id', 'in', off)
      .where('kind', '=', 'account.suspended')
      .where('subtenant_id', '=', house.id)
      .orderBy('at')
      .execute();
    return new Map(
      events.map(({ user_id: id, actor, at }) => {
        const other = actor?.startsWith('organisation:') ? texts.yourList : texts.anOperator;
        const by = names.get(staffIdsIn(actor)[0] ?? 0) ?? other;
        return [id ?? 0, { text: fill(texts.offBy, { by }), tone: 'off', since: at.getTime() }];
      }),
    );
  }

  function rolesOf(person: Row): string {
    const role = consoleRoleOf(consolePersonOf(person), config.console);
    const own = person.roleIds.filter(isRoleId).map((id) => ROLES[id].key);
    const shown = role === null || role === 'operator' ? [] : [texts.consoleRoles[role]];
    return [...shown, ...own].join(', ');
  }

  function waysOf(person: Row): string {
    const { organisation, password_hash: hash, hosted_user_id: hosted } = person;
    const isOpen = !isOnlyByOrganisation(person, config.console);
    const ways = [
      isByOrganisation(person, config.console) &&
        fill(texts.byOrganisation, { label: organisation?.label ?? '' }),
      isOpen && (hash ?? hosted) !== null && texts.password,
      isOpen && person.hasKey && texts.key,
      isOpen && person.hasAppCode && texts.appCode,
    ];
    return ways.filter(Boolean).join(', ') || texts.noWay;
  }
}

const STATES: Readonly<Record<Row['status'], ListCell>> = {
  pending: { text: texts.pending, tone: 'wait' },
  active: { text: texts.on, tone: 'ok' },
  inactive: { text: texts.off, tone: 'off' },
};
