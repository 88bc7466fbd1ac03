import { sql } from 'kysely';
import type { FormField, ListRow } from '#contract/console.ts';
import { auditDesk as texts } from '#locales/operator/figures.ts';
import { eventNames } from '#locales/operator/events.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import { shownNamesOf } from '../../accounts/account-store.ts';
import { auditReport } from '../../audit/audit-report.ts';
import { findByWord } from '../../accounts/person.ts';
import { later } from '../../core/clock.ts';
import type { FullContext } from '../../access/context.ts';
import type { Db } from '../../db/database.ts';
import { isOperatorRow } from '../../access/last-operator.ts';
import { houseOf, staffActor, staffIdsIn } from '../staff.ts';
import { SHOWN_KINDS } from './house-kinds.ts';
import { type AskedList, type DeskArea, type DeskForm, operatorsAlone } from '../desk-area.ts';
import { field, type Typed } from '../form-fields.ts';
import { houseStaffNames, personPath, type ShownPerson, shownPeople } from './shown-people.ts';

const ROWS_OF_PAGE = 50;
/** More events than these are not counted, and the pages end there: a filter leads further. */
const MOST_COUNTED = 10_000;
const MISSING = -1;
/** With four digits in its year: the database refuses to read more. */
const NO_DAY = new Date('9999-01-01T00:00:00Z');

const FIELDS: readonly FormField[] = [
  field('text', 'kind', texts.kind),
  field('text', 'person', texts.person),
  field('text', 'staff', texts.staff),
  field('date', 'from', texts.from),
  field('date', 'to', texts.to),
  field('select', 'outcome', texts.outcome, {
    options: Object.entries(texts.outcomes).map(([value, label]) => ({ value, label })),
  }),
];

/** Creates the operators' pages of the audit log: a list with filters, and the check of its chain. */
export function auditArea(context: FullContext): DeskArea {
  const { db } = context;

  async function read({ typed, offset, most, staff }: AskedList) {
    // Before the list is read, so that it does not move the pages after the first; a file has an event of its own.
    if (offset === 0 && most <= ROWS_OF_PAGE) {
      const filters = Object.keys(typed).filter((name) => typed[name] !== '');
      await context.audit({
        kind: 'console.auditRead',
        actor: staffActor(staff),
        details: { filters },
      });
    }
    const house = houseOf(staff);
    const all = await choose(db, house === null ? typed : { ...typed, kind: '', staff: '' });
    const chosen = house === null ? all : all.where(ofHouse(house, context));
    const events = await chosen
      .select([
        'id',
        'at',
        'kind',
        'outcome',
        'reason',
        'user_id',
        'actor',
        'request_id',
        'details',
      ])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(most)
      .execute();
    const { count } = await db
      .selectFrom(chosen.select('id').orderBy('at', 'desc').limit(MOST_COUNTED).as('chosen'))
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    const ids = events.flatMap(({ user_id: id }) => id ?? []);
    const people = await shownPeople(context, staff, ids);
    const actors = events.flatMap(({ actor }) => staffIdsIn(actor));
    const names = await shownNamesOf(db, [...ids, ...actors]);
    const ofStaff = house === null ? names : await houseStaffNames(context, staff, actors);
    const rows = events.map((event): ListRow => {
      const { user_id: userId, outcome, reason } = event;
      const person = people.get(userId ?? MISSING);
      const isFailure = outcome === 'failure';
      if (house !== null) return rowOfHouse(event, person, ofStaff);
      return {
        id: String(event.id),
        cells: [
          { at: event.at.getTime() },
          kindWords(event.kind),
          isFailure
            ? { text: reason === null ? texts.failure : inWords(reason), tone: 'bad' }
            : { text: texts.success, tone: 'ok' },
          person
            ? { text: person.name, href: personPath(person) }
            : userId === null
              ? ''
              : (names.get(userId) ?? String(userId)),
          names.get(staffIdsIn(event.actor)[0] ?? MISSING) ?? event.actor?.replace(':', ' ') ?? '',
          { text: factsOf(event), isFolded: true },
        ],
      };
    });
    // Reading the log is an event of its own.
    return {
      rows,
      count: Number(count),
      people: 0,
      ...(house !== null && { columns: texts.houseColumns, lead: texts.houseLead }),
    };
  }

  const verify: DeskForm = {
    title: texts.verify,
    lead: texts.verifyLead,
    changes: [texts.verifyChanges],
    submit: texts.verify,
    async run({ admin }) {
      const { lines, result } = await auditReport(context);
      const details = { faults: result.faultCount };
      await admin.audit({ kind: 'console.auditVerified', details });
      return { told: { lines } };
    },
  };

  return {
    area: 'audit',
    list: {
      fields: FIELDS,
      // The kinds and the names of operators are the operators'.
      isHidden: ({ name }, staff) =>
        staff.role !== 'operator' && (name === 'kind' || name === 'staff'),
      links: ({ role }) =>
        role === 'operator' ? [{ label: texts.verify, href: consolePath('audit', 'verify') }] : [],
      isPersonal: true,
      read,
    },
    texts: texts.list,
    form: operatorsAlone(async ([verb, ...more]) =>
      verb === 'verify' && more.length === 0 ? verify : null,
    ),
  };
}

/**
 * Matches what a house reads: events about accounts while they were its own, acts of its administrators since they have
 * the right, and what was done to the house itself. Operators' accounts are none of it.
 */
const ofHouse = (house: number, { config }: Pick<FullContext, 'config'>) => {
  const kinds = sql.join(SHOWN_KINDS);
  return sql<boolean>`kind in (${kinds}) and (
    (user_id is not null and audit_events.subtenant_id = ${house}
      and not exists (select from users where users.id = audit_events.user_id and ${isOperatorRow(config.console)}))
    or (user_id is null and exists (select from house_administrators as h
      where h.subtenant_id = ${house} and 'staff:' || h.user_id = actor and at >= h.given_at))
    or (user_id is null and kind similar to '(house|invitation|subtenant).%' and details ->> 'subtenantId' = ${String(house)}))`;
};

/** Returns an event in words, without reference, address, visit and details. */
function rowOfHouse(
  event: {
    readonly id: number | string;
    readonly at: Date;
    readonly kind: string;
    readonly user_id: number | null;
    readonly actor: string | null;
  },
  person: ShownPerson | undefined,
  staff: ReadonlyMap<number, string>,
): ListRow {
  const { actor, user_id: userId } = event;
  const [id] = staffIdsIn(actor);
  const [sort = ''] = (actor ?? '').split(':');
  const named = (texts.houseActors as Record<string, string>)[sort] ?? texts.anOperator;
  const others = actor === null ? '' : named;
  return {
    id: String(event.id),
    cells: [
      { at: event.at.getTime() },
      kindWords(event.kind),
      person
        ? { text: person.name, href: personPath(person) }
        : (staff.get(userId ?? MISSING) ?? ''),
      id === undefined ? others : (staff.get(id) ?? texts.anOperator),
    ],
  };
}

/** Chooses the events that the filters name; a filter that cannot be read chooses none. */
async function choose(db: Db, typed: Typed) {
  const { kind = '', person = '', staff = '', from = '', to = '', outcome = '' } = typed;
  const userId = person === '' ? null : await accountIdOf(db, person);
  const actor = staff === '' ? null : await actorIn(db, staff);
  const since = from === '' ? null : dayStart(from);
  const until = to === '' ? null : dayStart(to);
  return db
    .selectFrom('audit_events')
    .$if(kind !== '', (query) => query.where('kind', '=', kind))
    .$if(userId !== null, (query) => query.where('user_id', '=', userId))
    .$if(actor !== null, (query) =>
      // As the index has it (migration 0044).
      query.where('actor', '=', actor).where(sql<boolean>`actor <> 'visitor'`),
    )
    .$if(since !== null, (query) => query.where('at', '>=', since))
    .$if(until !== null, (query) => query.where('at', '<', later(until ?? new Date(0), DAY_MS)))
    .$if(outcome === 'success' || outcome === 'failure', (query) =>
      query.where('outcome', '=', outcome as 'success' | 'failure'),
    );
}

/** Returns the account of an address or an id; erased accounts have no address any more. */
async function accountIdOf(db: Db, word: string): Promise<number> {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  return (await findByWord(db, word))?.id ?? MISSING;
}

async function actorIn(db: Db, word: string): Promise<string> {
  return word.includes(':') || word === 'server'
    ? word
    : staffActor({ id: await accountIdOf(db, word) });
}

/** Returns the beginning of a day in UTC; a day that does not exist is after all events. */
function dayStart(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? NO_DAY : day;
}

/** Returns the words of a kind; a kind without words is its own. */
const kindWords = (kind: string): string => (eventNames as Record<string, string>)[kind] ?? kind;

/** Returns a reason as words: `wrongPassword` is "wrong password". */
const inWords = (reason: string): string =>
  reason.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns what a program has of an event: its kind, which the filter knows, its reference and its details. */
const factsOf = (event: {
  readonly kind: string;
  readonly request_id: string | null;
  readonly details: unknown;
}): string =>
  [event.kind, event.request_id, JSON.stringify(event.details)].filter(Boolean).join(' ');
