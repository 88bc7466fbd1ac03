import {
  FIGURE_PERIODS,
  type FigurePeriod,
  type ListPage,
  type ListRow,
} from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { SIGN_IN_STEPS, type SignInStep } from '#domain/flow/sign-in-steps.ts';
import { parseSubtenantId } from '#domain/people/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { signInsDesk as texts } from '#locales/operator/figures.ts';
import type { FullContext } from '../../access/context.ts';
import type { Looks } from '../looks.ts';
import { houseOf, type Staff } from '../staff.ts';
import type { FormAnswer } from '../console.ts';
import { CSV_FORM, type DeskArea, type DeskForm, pageIn, personalFile } from '../desk-area.ts';
import { personPath, shownPeople } from './shown-people.ts';
import { readHouses, readLost } from './sign-in-figures.ts';

const PATH = consolePath('signIns');
const ALL = 'all';
const PEOPLE_OF_PAGE = 25;
const MOST_PEOPLE_OF_FILE = 1000;

type Loss = {
  readonly house: number | null;
  readonly period: FigurePeriod;
  readonly step: SignInStep;
};

/** Creates the pages about sign-ins: where visits stop, and who stopped there. */
export function signInsArea(context: FullContext, looks: Pick<Looks, 'person'>): DeskArea {
  return {
    area: 'signIns',
    // The figures as a file; the page itself draws them.
    texts: { title: texts.title, lead: '', empty: texts.noVisits, columns: texts.csvColumns },
    list: {
      isPersonal: false,
      async read({ staff }) {
        const rows = (
          await Promise.all(FIGURE_PERIODS.map((period) => figuresOf(staff, period)))
        ).flat();
        return { rows, count: rows.length };
      },
    },
    async overview(staff, query) {
      const period = periodIn(query.get('time')) ?? 'week';
      const { houses, together } = await readHouses(context, period, houseOf(staff));
      const asked = parseSubtenantId(query.get('house'));
      const drawn = houses.find(({ id }) => id === asked) ?? together;
      const hasTenant = context.config.tenant !== null;
      const content = {
        kind: 'signIns',
        period,
        house: drawn.id,
        drawn,
        houses,
        hasTenant,
      } as const;
      return { content, people: 0 };
    },
    async form(words, staff) {
      const loss = words.at(-1) === 'csv' ? lossIn(words.slice(0, -1), staff) : null;
      return loss && csvForm(loss);
    },
    async page(words, staff, { query }) {
      const loss = lossIn(words, staff);
      return loss && who(staff, loss, query);
    },
  };

  async function figuresOf(staff: Staff, period: FigurePeriod): Promise<readonly ListRow[]> {
    const { houses, together } = await readHouses(context, period, houseOf(staff));
    const counted = staff.role === 'operator' ? houses : [together];
    return counted.flatMap(({ name, steps }) =>
      steps.map(({ step, visits, stopped, cause }) => ({
        id: `${name} ${period} ${step}`,
        cells: [
          name,
          texts.period[period],
          texts.step[step],
          String(visits),
          String(stopped),
          cause ? texts.cause[cause] : '',
        ],
      })),
    );
  }

  /** Returns the people behind a loss whom the staff member may look at, and writes a look at each into the audit log. */
  async function lost(staff: Staff, loss: Loss, part: { offset: number; most: number }) {
    const { people, count } = await readLost(context, {
      ...loss,
      ...part,
      house: houseOf(staff) ?? loss.house,
    });
    const ids = people.map(({ userId }) => userId);
    const shown = await shownPeople(context, staff, ids);
    for (const id of shown.keys()) await looks.person(staff, id);
    const rows = people.flatMap(({ userId, at, times, cause }): ListRow | readonly ListRow[] => {
      const person = shown.get(userId);
      if (!person) return [];
      const name = { text: person.name, href: personPath(person) };
      const cells = [name, person.email, { at: at.getTime() }, String(times), texts.cause[cause]];
      return { id: String(userId), cells };
    });
    return { rows, count };
  }

  async function who(staff: Staff, loss: Loss, query: URLSearchParams): Promise<FormAnswer> {
    const { house, period, step } = loss;
    const page = pageIn(query);
    const offset = (page - 1) * PEOPLE_OF_PAGE;
    const { rows, count } = await lost(staff, loss, { offset, most: PEOPLE_OF_PAGE });
    const { houses, together } = await readHouses(context, period, houseOf(staff));
    const back = new URLSearchParams({ time: period, ...(house && { house: String(house) }) });
    const where = houses.find(({ id }) => id === house)?.name ?? together.name;
    const content: ListPage = {
      kind: 'list',
      title: fill(texts.whoTitle, { where: texts.at[step] }),
      lead: fill(texts.whoLead, {
        house: where,
        period: texts.period[period].toLowerCase(),
      }),
      empty: texts.whoEmpty,
      columns: texts.whoColumns,
      path: whoPath(loss),
      query: '',
      fields: [],
      links: [{ label: texts.back, href: `${PATH}?${String(back)}` }],
      rows,
      count: rows.length === 0 ? 0 : count,
      page,
      pages: Math.ceil(count / PEOPLE_OF_PAGE),
      done: null,
    };
    return { content };
  }

  function csvForm(loss: Loss): DeskForm {
    return {
      ...CSV_FORM,
      back: { href: whoPath(loss), label: texts.back },
      async run({ staff, admin }) {
        const { rows } = await lost(staff, loss, { offset: 0, most: MOST_PEOPLE_OF_FILE });
        return personalFile({ staff, admin }, 'signIns', texts.whoColumns, rows);
      },
    };
  }
}

const whoPath = ({ house, period, step }: Loss): string =>
  `${PATH}/who/${house ?? ALL}/${period}/${step}`;

const periodIn = (word: unknown): FigurePeriod | null =>
  FIGURE_PERIODS.find((each) => each === word) ?? null;

/** Reads a loss from the words of an address; `null` for any other words. */
function lossIn(words: readonly string[], staff: Staff): Loss | null {
  const [who, of = '', time, at, ...more] = words;
  const period = periodIn(time);
  const step = SIGN_IN_STEPS.find((each) => each === at);
  const house = of === ALL ? null : parseSubtenantId(of);
  // An address names no house but to an operator.
  const isHouse = of === ALL || (house !== null && staff.role === 'operator');
  if (who !== 'who' || more.length > 0 || !isHouse || !period || !step) return null;
  return { house, period, step };
}
