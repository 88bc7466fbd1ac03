/** The people of the demo's month: residents of three houses, and one person for each reason not to get in. */

import type { RoleId } from '#domain/people/roles.ts';
import { ACADEMY_ROLE } from '#domain/people/roles.ts';
import type { UserStatus } from '../db/schema.ts';

export const MONTH_DOMAIN = 'people.porchlight.test';
const FIRST_ID = 4_000_000_101;
const FIRST_CASE_ID = 4_000_000_901;

export type MonthPerson = {
  readonly id: number;
  readonly person: readonly [first: string, last: string];
  readonly subtenantId: number;
  readonly role: RoleId;
  readonly status: UserStatus;
};

/** A house, with its visits a day and how many of 1000 visits stop at each step. */
export type House = {
  readonly subtenantId: number;
  readonly visitsADay: number;
  readonly residents: number;
  readonly stops: Readonly<Record<'password' | 'mail' | 'code' | 'app', number>>;
};

// prettier-ignore
export const HOUSES: readonly House[] = [
  { subtenantId: 742, visitsADay: 30, residents: 52, stops: { password: 56, mail: 32, code: 124, app: 5 } },
  { subtenantId: 900, visitsADay: 13, residents: 24, stops: { password: 60, mail: 10, code: 20,  app: 10 } },
  { subtenantId: 3,   visitsADay: 9,  residents: 16, stops: { password: 190, mail: 12, code: 150, app: 8 } },
];

// prettier-ignore
const FIRST = ['Alma', 'Bernard', 'Celia', 'Dorothy', 'Emil', 'Frances', 'Gordon', 'Hazel', 'Irene', 'Jonas', 'Kathleen', 'Leo'];
// prettier-ignore
const LAST = ['Abbott', 'Brennan', 'Castro', 'Dvorak', 'Ekström', 'Fontaine', 'Goldberg', 'Hollis'];

/** Returns the residents: every first name with every last name, as many as the houses have. */
function residents(): readonly MonthPerson[] {
  const houses = HOUSES.flatMap((house) => Array.from({ length: house.residents }, () => house));
  return houses.map(({ subtenantId }, n) => ({
    id: FIRST_ID + n,
    person: [FIRST[n % FIRST.length] ?? '', LAST[Math.floor(n / FIRST.length)] ?? ''],
    subtenantId,
    role: subtenantId === 3 ? ACADEMY_ROLE : 1,
    status: 'active',
  }));
}

/** The rows of "People of the demo" in docs/operations/help-desk.md, in its order. */
const NAMES = {
  wrongPassword: ['Ines', 'Carvalho'],
  switchedOff: ['Harold', 'Finch'],
  neverVerified: ['Beatrix', 'Lund'],
  locked: ['Walter', 'Nystrom'],
  mailComesBack: ['Margaret', 'Oduya'],
  noRole: ['Rufus', 'Adler'],
  moduleMissing: ['Greta', 'Holm'],
  landline: ['Agnes', 'Teller'],
  codeNotTyped: ['Oskar', 'Lindgren'],
  nothing: ['Clara', 'Whitman'],
} as const;
export type Case = keyof typeof NAMES;
export const CASES = Object.keys(NAMES) as readonly Case[];
const ROLE_OF: Partial<Record<Case, RoleId>> = { noRole: 2, moduleMissing: 20 };
const STATUS_OF: Partial<Record<Case, UserStatus>> = {
  switchedOff: 'inactive',
  neverVerified: 'pending',
};

/** Returns the person of a case. */
export const casePerson = (name: Case): MonthPerson => ({
  id: FIRST_CASE_ID + CASES.indexOf(name),
  person: NAMES[name],
  subtenantId: 742,
  role: ROLE_OF[name] ?? 1,
  status: STATUS_OF[name] ?? 'active',
});

export const personEmail = ({ person: [first, last] }: MonthPerson): string =>
  `${first}.${last}@${MONTH_DOMAIN}`.toLowerCase().replaceAll('ö', 'o');

export const RESIDENTS = residents();
export const MONTH_PEOPLE: readonly MonthPerson[] = [...RESIDENTS, ...CASES.map(casePerson)];
