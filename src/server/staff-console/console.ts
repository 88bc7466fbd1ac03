import type { ConsoleArea } from '#domain/help-desk/console-paths.ts';
import { firstLetters } from '#domain/text/first-letters.ts';
import { randomBytes } from 'node:crypto';
import {
  type ConsoleContent,
  type ConsolePage,
  PEOPLE_FILTERS,
  PEOPLE_ORDERS,
  type PeopleQuery,
  type PersonPage,
} from '#contract/console.ts';
import { OUTCOMES } from '#domain/help-desk/outcome.ts';
import { consoleAreasOf } from '#domain/help-desk/console-rights.ts';
import { CONSOLE_VERBS, type ConsoleVerb } from '#domain/help-desk/console-verbs.ts';
import { pageCodeIn, spacedPageCode } from '#domain/help-desk/page-code.ts';
import { readPageCode } from '../people/page-codes.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { FullContext } from '../access/context.ts';
import type { VisitCookie } from '../http/visit-cookie.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import {
  signInCause,
  describePerson,
  helpersOfPerson,
  type Person,
  readPerson,
  waitingChange,
  waysToSignIn,
} from './people/person.ts';
import { readHome } from './people/home.ts';
import { searchPeople } from './people/search-people.ts';
import type { Looks } from './looks.ts';
import type { Staff } from './staff.ts';
import { readTimeline } from './people/timeline.ts';

export type Content = ConsoleContent;

/** The answer to a form: another page, the same one with its problems, or a file. */
export type FormAnswer =
  | { readonly page: string }
  | { readonly content: Content }
  | { readonly file: string; readonly name: string }
  /** A document of its own, with its policy: a preview inside a page. */
  | { readonly html: string; readonly policy: string };

export const NOT_FOUND: FormAnswer = { content: { kind: 'message', message: 'notFound' } };

const LONGEST_TEXT = 100;
const FIRST_ENTRIES = 15;
const MOST_ENTRIES = 200;

type Deps = {
  readonly subtenants: Pick<Subtenants, 'shownLately'>;
  readonly visits: Pick<VisitCookie, 'formToken'>;
  readonly looks: Looks;
  /** The areas that this server has. */
  readonly areas: readonly { readonly area: ConsoleArea }[];
};

/** Creates the pages that only show: search and person. */
export function createConsole(context: FullContext, { subtenants, visits, looks, areas }: Deps) {
  const { clock, config, rateLimits } = context;
  const here = new Set(areas.map(({ area }) => area));
  const nameOf = async (id: number) => (await subtenants.shownLately(id)).name;

  return {
    async frame(staff: Staff, content: Content, area: ConsolePage['area']): Promise<ConsolePage> {
      const { name, role, subtenantId, visit } = staff;
      return {
        ...content,
        staff: { name, role, subtenant: await nameOf(subtenantId) },
        xsrf: visits.formToken(visit),
        once: randomBytes(9).toString('base64url'),
        now: clock.now().getTime(),
        timeZone: config.timeZone ?? 'UTC',
        areas: consoleAreasOf(role).filter((each) => each === 'people' || here.has(each)),
        area,
      };
    },

    /** @throws AppError TOO_MANY */
    async search(staff: Staff, query: URLSearchParams): Promise<Content> {
      const asked = readQuery(query);
      if (asked.text === '') return homeOf(staff, asked);
      const letters = pageCodeIn(asked.text);
      if (letters !== null) return visitOf(staff, letters);
      await rateLimits.consume([RATE_LIMITS.searchPerStaff, String(staff.id)]);
      const found = await searchPeople(context, staff, asked);
      // Each page of a search shows other people.
      const words = `${asked.text.toLowerCase()} ${asked.filter} ${asked.order} ${asked.page}`;
      await looks.search(staff, words, found.people.length);
      return { kind: 'search', query: asked, home: null, found };
    },

    async person(staff: Staff, id: number, query: URLSearchParams): Promise<Content> {
      const person = await readPerson(context, staff, id);
      if (!person) return { kind: 'message', message: 'notYours' };
      await looks.person(staff, id);
      const asked = Number(query.get('most'));
      const most = Number.isInteger(asked)
        ? Math.min(Math.max(asked, FIRST_ENTRIES), MOST_ENTRIES)
        : FIRST_ENTRIES;
      const { entries, hasOlder } = await readTimeline(context, id, { staff, most });
      return {
        kind: 'person',
        person: await describe(person),
        why: signInCause(person, verbIn(query.get('done'))),
        ways: await waysToSignIn(context, person),
        sessions: person.sessions,
        helpers: await helpersOfPerson(context, person),
        timeline: entries,
        most,
        hasOlder: hasOlder && most < MOST_ENTRIES,
        verbs: [...person.verbs].map(([verb, rest]) => ({ verb, rest })),
        change: await waitingChange(context, staff, person),
        search: readQuery(query).text,
        isOwnStaff: staff.role === 'administrator' && person.kind === 'staff',
        did: didIn(query),
      };
    },

    describe,
  };

  /** Returns the page without a search. Its list of people is written like one. */
  async function homeOf(staff: Staff, query: PeopleQuery): Promise<Content> {
    const home = await readHome(context, staff);
    const ids = [...home.changes, ...home.looked].map(({ id }) => id);
    if (ids.length > 0) await looks.search(staff, `home ${ids.join(' ')}`, ids.length);
    return { kind: 'search', query, home, found: null };
  }

  /** Opens the state of a visit of the staff member's own subtenant. Wrong letters count. */
  async function visitOf(staff: Staff, code: string): Promise<Content> {
    // Counted before the look, and released when it was right: parallel guesses share one count.
    const use = [RATE_LIMITS.wrongPageCodePerStaff, String(staff.id)] as const;
    if (!(await rateLimits.isWithin(use))) return { kind: 'message', message: 'pageCodesOff' };
    const facts = await readPageCode(context, code);
    const subtenantId = facts?.subtenantId ?? DEFAULT_SUBTENANT_ID;
    if (!facts || (staff.role !== 'operator' && subtenantId !== staff.subtenantId)) {
      return { kind: 'message', message: 'noPageCode' };
    }
    await rateLimits.release(use);
    await looks.visit(staff, code);
    const { madeAt: _, subtenantId: __, messages, otp, expiresAt, ...shown } = facts;
    return {
      ...shown,
      kind: 'visit',
      code: spacedPageCode(code),
      messages: messages.map((each) => ({ ...each, at: each.at.getTime() })),
      otp: otp && { ...otp, sentAt: otp.sentAt.getTime(), expiresAt: otp.expiresAt.getTime() },
      expiresAt: expiresAt.getTime(),
    };
  }

  async function describe(person: Person) {
    return describePerson(person, await nameOf(person.account.subtenant_id));
  }
}

/** Returns what a verb did a moment ago, as the address of its page says. */
function didIn(query: URLSearchParams): PersonPage['did'] {
  const outcome = OUTCOMES.find((each) => query.has(each));
  const verb = outcome && verbIn(query.get(outcome));
  return verb ? { verb, outcome } : null;
}

/** Returns the verb of a word from an address; `null` for any other word. */
export const verbIn = (word: string | null): ConsoleVerb | null =>
  CONSOLE_VERBS.find((verb) => verb === word) ?? null;

function readQuery(query: URLSearchParams): PeopleQuery {
  const page = Number(query.get('page') ?? '1');
  return {
    text: firstLetters((query.get('q') ?? '').replaceAll(/\s+/g, ' ').trim(), LONGEST_TEXT),
    filter: PEOPLE_FILTERS.find((each) => each === query.get('show')) ?? 'all',
    order: PEOPLE_ORDERS.find((each) => each === query.get('order')) ?? 'name',
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}
