import type {
  BrandPreview,
  DeskLink,
  FormField,
  FormPage,
  FormTold,
  ListCell,
  ListPage,
  ListRow,
} from '#contract/console.ts';
import { isAccent } from '#domain/looks/colour.ts';
import { toCsv } from '#domain/text/csv.ts';
import { AREA_PATHS, consolePath } from '#domain/help-desk/console-paths.ts';
import { deskTexts as texts } from '#locales/operator/console-areas.ts';
import { fill } from '#locales/fill.ts';
import type { DeedContext, FullContext } from '../access/context.ts';
import type { Area, AreaRequest } from './console.routes.ts';
import { FieldProblems, filled, type Typed, typedIn } from './form-fields.ts';
import type { Looks } from './looks.ts';
import type { AnswerForm, ConsoleForm } from './answer-form.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import { tellAdministrators } from '../people/house-notes.ts';
import { randomId } from '../crypto/secret-box.ts';
import { requireStrong, staffAudit, type Staff } from './staff.ts';
import { type Content, type FormAnswer, NOT_FOUND } from './console.ts';

/* An area of the operators' pages is one `DeskArea`: a list, and forms that an address names. */

const ROWS_OF_PAGE = 50;
const MOST_ROWS_OF_FILE = 100_000;

/** What a list is asked for. `typed`: the fields above it. */
export type AskedList = {
  readonly typed: Typed;
  readonly offset: number;
  readonly most: number;
  readonly staff: Staff;
};

type DeskTexts = Pick<ListPage, 'title' | 'lead' | 'empty' | 'columns'> & {
  /** The words after a form ran, by the last word of its address. */
  readonly done?: Typed;
};

type DeskList = {
  readonly fields?: readonly FormField[];
  /** Whether a staff member does not have a field. */
  readonly isHidden?: (field: FormField, staff: Staff) => boolean;
  /** The buttons above the list, for this staff member. */
  readonly links?: (staff: Staff) => ListPage['links'];
  /** The rows name people: opening the list is a look (CON-05), and its file needs a code of the last five minutes. */
  readonly isPersonal: boolean;
  readonly read: (asked: AskedList) => Promise<{
    readonly rows: readonly ListRow[];
    readonly count: number;
    /** In place of the list's. */
    readonly lead?: string;
    readonly columns?: readonly string[];
    /** How many people the rows name; without it each names one. */
    readonly people?: number;
  }>;
};

/** The answer of a form that ran: a page that tells once, another page, or a file; without one back to the list. */
export type Ran =
  | { readonly told: FormTold }
  | { readonly page: string }
  | { readonly file: string; readonly name: string };

export type FormRun = {
  readonly typed: Typed;
  readonly files: Readonly<Record<string, File>>;
  readonly staff: Staff;
  /** The context of the deeds, whose events name the staff member. */
  readonly admin: DeedContext;
};

/** A form; without `run` its page only tells. */
export type DeskForm = Pick<FormPage, 'title'> & {
  readonly lead?: string;
  readonly changes?: FormPage['changes'];
  readonly submit?: string;
  /** The names `code`, `step`, `once` and `xsrf` are those of every form. */
  readonly fields?: readonly FormField[];
  readonly isGrave?: boolean;
  /** The form is a step of a set-up. */
  readonly steps?: FormPage['steps'];
  /** The address that Cancel leads to; without one the list. */
  readonly back?: FormPage['back'];
  /** Told at once: the page has no form. */
  readonly told?: FormTold;
  /** What people will see. Such a form asks for the code when it is sent, so that all may look. */
  readonly brand?: (typed: Typed) => BrandPreview;
  /** Reads the typed values. With a `brand`, 'Show it' tells its refusals at the fields, too. @throws FieldProblems */
  readonly read?: (typed: Typed) => Promise<unknown>;
  /** @throws OperatorError, FieldProblems; both are shown in the form */
  readonly run?: (run: FormRun) => Promise<Ran | boolean | number | void>;
};

/** A list below the address of an area, such as the staff of a house. `name`: that of its file, and of its looks. */
export type DeskSublist = {
  readonly name: string;
  readonly path: string;
  readonly texts: DeskTexts;
  readonly list: DeskList;
};

export type DeskArea = {
  readonly area: Area['area'];
  readonly texts: DeskTexts;
  /** Without one its own address is that of a form. */
  readonly list?: DeskList;
  /** The words of the address after the area's own, to a list of its own; `null`: no such list. */
  readonly sublist?: (words: readonly string[], staff: Staff) => Promise<DeskSublist | null>;
  /** Drawn in place of the list, which only its file has then; `people`: how many it names. */
  readonly overview?: (
    staff: Staff,
    query: URLSearchParams,
  ) => Promise<{ readonly content: Content; readonly people: number }>;
  /** The words of the address after the area's own, to a form; `null`: no such page. */
  readonly form?: (
    words: readonly string[],
    staff: Staff,
    query: URLSearchParams,
  ) => Promise<DeskForm | null>;
  /** Pages that are neither the list nor a form. */
  readonly page?: (
    words: readonly string[],
    staff: Staff,
    asked: AreaRequest,
  ) => Promise<FormAnswer | null>;
};

const fieldsFor = ({ fields = [], isHidden }: DeskList, staff: Staff) =>
  fields.filter((field) => !isHidden?.(field, staff));

const backTo = ({ path, texts: { title } }: Pick<DeskSublist, 'path' | 'texts'>): DeskLink => ({
  href: path,
  label: fill(texts.backTo, { list: title }),
});

/** Returns one page of rows that are all in memory. `text` keeps the rows with it in a cell. */
export function pageOf(all: readonly ListRow[], { typed, offset, most }: AskedList) {
  const text = (typed.text ?? '').toLowerCase();
  const rows =
    text === ''
      ? all
      : all.filter(({ cells }) => cells.some((cell) => plain(cell).toLowerCase().includes(text)));
  return { rows: rows.slice(offset, offset + most), count: rows.length };
}

/** Returns a list of rows that are all in memory, below a search field with this label. */
export const searchedList = (
  label: string,
  rowsOf: (staff: Staff) => Promise<readonly ListRow[]>,
  links?: DeskList['links'],
): DeskList => ({
  isPersonal: false,
  fields: [{ name: 'text', label, kind: 'search' }],
  ...(links && { links }),
  read: async (asked) => pageOf(await rowsOf(asked.staff), asked),
});

/** Returns the forms of addresses: `own` by their one word, those of a row by its id and the word of a verb. */
export const formsOf =
  <Row>(
    own: Readonly<Record<string, DeskForm>>,
    find: (id: string, staff: Staff) => Promise<Row | null | undefined>,
    verbs: Readonly<
      Record<string, (row: Row, staff: Staff) => DeskForm | null | Promise<DeskForm | null>>
    >,
  ) =>
  async ([word = '', verb, ...more]: readonly string[], staff: Staff) => {
    if (verb === undefined) return (Object.hasOwn(own, word) && own[word]) || null;
    const formOf = Object.hasOwn(verbs, verb) && more.length === 0 ? verbs[verb] : undefined;
    const row = formOf && (await find(word, staff));
    return row ? formOf(row, staff) : null;
  };

/** Returns forms that no other staff member has. */
export const operatorsAlone =
  (form: NonNullable<DeskArea['form']>): NonNullable<DeskArea['form']> =>
  async (words, staff, query) =>
    staff.role === 'operator' ? form(words, staff, query) : null;

/** Creates an area of the console from its list and its forms. */
export function createDeskArea(
  context: FullContext,
  { answerForm, looks }: { readonly answerForm: AnswerForm; readonly looks: Pick<Looks, 'list'> },
  desk: DeskArea,
): Area {
  const { area, list } = desk;
  const home = consolePath(area);
  const main: DeskSublist | null = list ? { ...desk, list, name: area, path: home } : null;

  /** Returns the list of an address: the area's own, or one below. */
  const listAt = async (words: readonly string[], staff: Staff): Promise<DeskSublist | null> =>
    words.length === 0 ? main : ((await desk.sublist?.(words, staff)) ?? null);

  const adminOf = (staff: Staff): DeedContext => ({
    ...context,
    audit: staffAudit(context, staff),
  });

  async function listPage(
    { name, path, texts: own, list }: DeskSublist,
    staff: Staff,
    query: URLSearchParams,
  ): Promise<FormAnswer> {
    const fields = fieldsFor(list, staff);
    const typed = typedIn(fields, query);
    const given = Object.entries(typed).filter(([, value]) => value !== '');
    const page = pageIn(query);
    const offset = (page - 1) * ROWS_OF_PAGE;
    const read = await list.read({ typed, offset, most: ROWS_OF_PAGE, staff });
    const { title, empty } = own;
    const { rows, count, lead = own.lead, columns = own.columns, people = rows.length } = read;
    if (list.isPersonal) await looks.list(staff, `${name} ${page}`, people);
    return {
      content: {
        kind: 'list',
        title,
        lead,
        empty,
        columns,
        path,
        query: String(new URLSearchParams(given)),
        fields: filled(fields, typed),
        links: list.links?.(staff) ?? [],
        rows,
        count,
        page,
        pages: Math.ceil(count / ROWS_OF_PAGE),
        done: own.done?.[query.get('done') ?? ''] ?? null,
      },
    };
  }

  async function csv(
    { name, texts: own, list }: DeskSublist,
    { staff, admin }: Pick<FormRun, 'staff' | 'admin'>,
    query: URLSearchParams,
  ) {
    const typed = typedIn(fieldsFor(list, staff), query);
    const asked = { typed, offset: 0, most: MOST_ROWS_OF_FILE, staff };
    const { rows, columns = own.columns } = await list.read(asked);
    if (!list.isPersonal) return fileOf(name, columns, rows, admin);
    return personalFile({ staff, admin }, name, columns, rows);
  }

  async function formAt(words: readonly string[], staff: Staff, query: URLSearchParams) {
    const of = words.at(-1) === 'csv' ? await listAt(words.slice(0, -1), staff) : null;
    if (!of) return desk.form?.(words, staff, query);
    if (!of.list.isPersonal) return null;
    return { ...CSV_FORM, back: backTo(of), run: (run: FormRun) => csv(of, run, query) };
  }

  const consoleForm = (staff: Staff, form: DeskForm, { rest, query }: AreaRequest): ConsoleForm => {
    const { title, lead = '', changes = [], submit = '', isGrave = false } = form;
    const { brand, fields = [] } = form;
    const path = `${home}/${rest.join('/')}`;
    const isShown = brand && fields.some(({ name }) => query.has(name));
    return {
      path,
      fields,
      ...(isShown && { typed: typedIn(fields, query) }),
      asksProof: brand ? 'whenSent' : 'first',
      async draw({ typed, problems, problem, told, proof }) {
        const own = isShown ? await problemsIn(form, typed) : {};
        const shown = filled(fields, typed, { ...own, ...problems });
        const values = Object.fromEntries(shown.map(({ name, value = '' }) => [name, value]));
        return {
          kind: 'form',
          title,
          lead,
          back: form.back ?? backTo({ ...desk, path: home }),
          changes,
          submit,
          isGrave,
          fields: shown,
          brand: brand?.(values) ?? null,
          steps: form.steps ?? null,
          problem,
          told: told ?? form.told ?? null,
          ...proof,
        };
      },
      async run(typed, sent) {
        const ran = await form.run?.({ typed, files: filesIn(sent), staff, admin: adminOf(staff) });
        return typeof ran === 'object'
          ? ran
          : { page: `${form.back?.href ?? home}?done=${rest.at(-1) ?? ''}` };
      },
    };
  };

  async function pageAt(words: readonly string[], staff: Staff, asked: AreaRequest) {
    if (asked.rest.length === 0 && desk.overview) {
      const { content, people } = await desk.overview(staff, asked.query);
      if (list?.isPersonal) await looks.list(staff, area, people);
      return { content };
    }
    const shown = await listAt(words, staff);
    if (shown) return listPage(shown, staff, asked.query);
    if (words[0] === 'csv' && words.length === 1 && main && !main.list.isPersonal) {
      return csv(main, { staff, admin: adminOf(staff) }, asked.query);
    }
    return desk.page?.(words, staff, asked);
  }

  return {
    area,
    async answer(staff, asked, sent) {
      const words = asked.rest.filter((word) => word !== '').map(decodeURIComponent);
      const page = sent ? null : await pageAt(words, staff, asked);
      if (page) return page;
      const form = await formAt(words, staff, asked.query);
      if (!form) return NOT_FOUND;
      const formHere = consoleForm(staff, form, asked);
      if (form.brand && sent?.has('show')) {
        const typed = colored(typedIn(formHere.fields, sent), sent.get('show'));
        return { page: `${formHere.path}?${String(new URLSearchParams(typed))}` };
      }
      return answerForm(staff, formHere, sent, asked.caller);
    },
  };
}

/** Returns what a form would refuse, by its fields. */
async function problemsIn({ read }: DeskForm, typed: Typed): Promise<Typed> {
  try {
    await read?.(typed);
    return {};
  } catch (error) {
    if (error instanceof FieldProblems) return error.problems;
    throw error;
  }
}

function filesIn(sent: FormData): Readonly<Record<string, File>> {
  const files = [...sent.entries()].filter(
    (entry): entry is [string, File] => entry[1] instanceof File && entry[1].size > 0,
  );
  return Object.fromEntries(files);
}

/** Returns the number of the page that an address asks for, from 1. */
export function pageIn(query: URLSearchParams): number {
  const asked = Number(query.get('page') ?? '1');
  return Number.isInteger(asked) && asked > 0 && asked < 1e6 ? asked : 1;
}

/** The form of a file that names people. */
export const CSV_FORM = { title: texts.csv, changes: [texts.csvChanges], submit: texts.csv };

/**
 * Returns a list that names people as a file. An administrator proves it by a key or an app's code, and the house's other
 * administrators are told (HOU-05).
 */
export async function personalFile(
  { staff, admin }: Pick<FormRun, 'staff' | 'admin'>,
  list: string,
  columns: readonly string[],
  rows: readonly ListRow[],
) {
  if (staff.role !== 'administrator') return fileOf(list, columns, rows, admin);
  return admin.db.transaction().execute(async (db) => {
    const own = { ...admin, db };
    await requireStrong(own, staff);
    const file = await fileOf(list, columns, rows, own);
    const words = { who: staff.name, list: wordOf(list), count: rows.length };
    const lines = [fill(houseDesk.fileNote.line, words)];
    const note = { subject: houseDesk.fileNote.subject, lines };
    await tellAdministrators(own, db, staff, note, `file:${randomId()}`);
    return file;
  });
}

/** Returns a list as a file, and writes the event of its download. */
export async function fileOf(
  list: string,
  columns: readonly string[],
  rows: readonly ListRow[],
  { audit, db }: Pick<DeedContext, 'audit' | 'db'>,
) {
  await audit({ kind: 'console.downloaded', details: { list, count: rows.length } }, db);
  const file = toCsv([columns, ...rows.map(({ cells }) => cells.map(plain))]);
  return { file, name: `${wordOf(list)}.csv` };
}

/** Returns the word of a list in addresses. */
const wordOf = (list: string): string => (AREA_PATHS as Record<string, string>)[list] ?? list;

function plain(cell: ListCell): string {
  if (typeof cell === 'string') return cell;
  if ('at' in cell) return new Date(cell.at).toISOString();
  return cell.since === undefined
    ? cell.text
    : `${cell.text}, ${new Date(cell.since).toISOString()}`;
}

/** Returns what was typed, in the color of the button that was pressed, if it has one. */
const colored = (typed: Typed, color: unknown): Typed =>
  typeof color === 'string' && isAccent(color) ? { ...typed, accent: color } : typed;
