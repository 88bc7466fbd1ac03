import { createHash } from 'node:crypto';
import type { DeskLink, FormField } from '#contract/console.ts';
import { isRoleId, roleName } from '#domain/people/roles.ts';
import { DAY_MS } from '#domain/text/duration.ts';
import { accentPairs } from '#domain/looks/theme.ts';
import { fill } from '#locales/fill.ts';
import { LANGUAGES, OFFERED, ORIGINAL } from '#locales/languages.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import { subtenantsDesk as texts } from '#locales/operator/console-areas.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { randomId } from '../../crypto/secret-box.ts';
import { later } from '../../core/clock.ts';
import type { Db } from '../../db/database.ts';
import type { DeedContext, FullContext } from '../../access/context.ts';
import { organisationsOfSubtenant } from '../../organisations/organisation-store.ts';
import { houseRolesOf, listAdministrators } from '../../people/house.ts';
import { tellOperators } from '../../people/house-notes.ts';
import { loadConfiguredLogos, loadProductLogos } from '../../subtenants/logos.ts';
import {
  accentIn,
  changeSubtenant,
  helpHoursIn,
  logoPaths,
  subtenantLanguageIn,
  subtenantNameIn,
  uploadLogo,
} from '../../subtenants/subtenant-operations.ts';
import { textedNameHint } from '../../notifications/sms-text.ts';
import { listSubtenants, type SubtenantRow } from '../../subtenants/subtenant-store.ts';
import type { DeskForm } from '../desk-area.ts';
import { field, FieldProblems, optionsOf, readFields, type Typed } from '../form-fields.ts';
import type { Staff } from '../staff.ts';
import { countStaff, noteLook } from './staff.ts';
import type { createSubtenantPreview } from './subtenant-preview.ts';

export type HouseForms = ReturnType<typeof createHouseForms>;

/** Where the forms of a house stand: below an id for operators, or below `/console/house` for the house itself. */
export type HousePlace = {
  readonly path: string;
  readonly isHouse: boolean;
  readonly back: DeskLink;
};

const KEPT_MS = 30 * DAY_MS;

/** Creates the one set of forms over a house, which operators and its administrators share (HOU-03, HOU-06). */
export function createHouseForms(
  context: FullContext,
  preview: ReturnType<typeof createSubtenantPreview>,
) {
  const { db, config, clock, outbox } = context;

  const keptLook = (id: number, at: Db = db) =>
    at
      .selectFrom('house_looks')
      .selectAll()
      .where('subtenant_id', '=', id)
      .where('kept_at', '>', later(clock.now(), -KEPT_MS))
      .executeTakeFirst();

  /** Returns the logos that may be chosen: all for operators; for the house those of the product and its own uploads. */
  async function logosFor(row: SubtenantRow, isHouse: boolean) {
    const all = await logoPaths(context);
    if (!isHouse) return all;
    const taken = (await listSubtenants(db)).filter(({ id }) => id !== row.id);
    const own = all.filter(
      (path) => path === row.logo_path || path.startsWith(`/logos/${row.id}-`),
    );
    const product = loadProductLogos()
      .paths()
      .filter((path) => !/\/\d+\./.test(path) && !taken.some((each) => each.logo_path === path));
    return [...new Set([...own, ...product])];
  }

  /** Runs a change of the look. By the house it can be put back, and operators are told of a new logo with both pictures. */
  async function change(
    admin: DeedContext,
    staff: Staff,
    { isHouse }: HousePlace,
    { id, name }: SubtenantRow,
    act: (own: DeedContext) => Promise<unknown>,
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const own = { ...admin, db: transaction };
      const before = isHouse ? await lockRow(transaction, id) : null;
      await act(own);
      if (!before) return;
      const { logo_path, accent, language, help_hours } = before;
      const kept = { logo_path, accent, language, help_hours, kept_at: clock.now() };
      await transaction
        .insertInto('house_looks')
        .values({ subtenant_id: id, ...kept })
        .onConflict((conflict) => conflict.column('subtenant_id').doUpdateSet(kept))
        .execute();
      const { logo_path: logo } = await lockRow(transaction, id);
      if (logo === logo_path) return;
      const words = { name, who: staff.name };
      const pictures = [logo_path, logo].map((path) => `${config.publicUrl}${path}`);
      const { subject, line } = houseDesk.logoNote;
      const note = { subject: fill(subject, words), lines: [fill(line, words)], pictures };
      await tellOperators(own, transaction, note, `logo:${randomId()}`);
    });
    outbox.wake();
  }

  return {
    async look(row: SubtenantRow, place: HousePlace): Promise<DeskForm> {
      const { isHouse } = place;
      const logos = await logosFor(row, isHouse);
      const hint = textedNameHint(context, row.name) ?? undefined;
      const read = (typed: Typed) =>
        readFields({
          ...lookReaders(typed),
          help_hours: () => helpHoursIn(typed.help_hours || 'none'),
          // A name that was there before the rule stays until it is changed.
          ...(!isHouse && {
            name: () => (typed.name === row.name ? row.name : subtenantNameIn(typed.name ?? '')),
          }),
        });
      return {
        title: isHouse ? houseDesk.look : row.name,
        changes: [texts.lookChanges],
        submit: texts.save,
        ...(isHouse && { back: place.back }),
        fields: [
          ...(isHouse ? [] : [field('text', 'name', texts.name, { value: row.name, hint })]),
          field('picture', 'logo', texts.logoLabel, {
            value: row.logo_path,
            options: optionsOf(logos, logoName),
          }),
          languageField(row.language),
          accentField(row.accent),
          field('text', 'help_hours', texts.hours, {
            hint: fill(texts.hoursHint, { zone: config.timeZone ?? 'UTC' }),
            value: row.help_hours ?? '',
          }),
        ],
        brand: (typed) => {
          const values = String(new URLSearchParams(typed));
          const { asGiven, pairs } = accentPairs(typed.accent ?? null);
          return { frames: `${place.path}/preview?${values}`, asGiven, pairs };
        },
        read,
        async run({ typed, staff, admin }) {
          const { logo: logo_path = '' } = typed;
          if (isHouse && !logos.includes(logo_path)) {
            throw new FieldProblems({ logo: houseDesk.notYourLogo });
          }
          const look = await read(typed);
          await change(admin, staff, place, row, (own) =>
            changeSubtenant(own, row.id, { ...look, logo_path }),
          );
        },
      };
    },

    logo: (row: SubtenantRow, place: HousePlace): DeskForm => ({
      title: fill(texts.logoTitle, { name: row.name }),
      changes: [texts.lookChanges],
      submit: texts.save,
      ...(place.isHouse && { back: place.back }),
      fields: [
        field('file', 'file', texts.file, { hint: texts.fileHint, accept: '.svg,.png,.jpg,.jpeg' }),
      ],
      async run({ files, staff, admin }) {
        const { file } = files;
        if (!file) throw new FieldProblems({ file: texts.fileMissing });
        const bytes = Buffer.from(await file.arrayBuffer());
        if (place.isHouse && (await isOfAnother(row, bytes))) {
          throw new FieldProblems({ file: houseDesk.notYourLogo });
        }
        await change(admin, staff, place, row, (own) =>
          readFields({ file: () => uploadLogo(own, row.id, { name: file.name, bytes }) }),
        );
      },
    }),

    /** Returns the form that puts the look before the last change back; `null`: none is kept any more. */
    async putBack(row: SubtenantRow, place: HousePlace): Promise<DeskForm | null> {
      if ((await keptLook(row.id)) === undefined) return null;
      return {
        title: houseDesk.putBack,
        changes: [houseDesk.putBackChanges],
        submit: houseDesk.putBack,
        back: place.back,
        async run({ staff, admin }) {
          await change(admin, staff, place, row, async (own) => {
            const kept = await keptLook(row.id, own.db);
            if (!kept) throw new FieldProblems({ form: houseDesk.nothingKept });
            const { logo_path, accent, language, help_hours } = kept;
            await changeSubtenant(own, row.id, { logo_path, accent, language, help_hours });
          });
        },
      };
    },

    /** Returns the facts of a house, as its administrators and operators see them. */
    async home(row: SubtenantRow, by: Staff, place: HousePlace, done?: string): Promise<DeskForm> {
      if (!place.isHouse) await noteLook(context, by, row);
      const t = houseDesk.home;
      const people = await countPeople(row.id);
      const workHere = await countStaff(context, row.id);
      const administrators = await listAdministrators(db, row.id);
      const roles = (await houseRolesOf(db, row.id)).filter(isRoleId).map(roleName);
      const organisations = await organisationsOfSubtenant(db, row.id);
      const noRoles = fill(t.noRoles, { phone: config.help.phone });
      const kept = await keptLook(row.id);
      const link = (label: string, word: string) => ({ label, href: `${place.path}/${word}` });
      return {
        title: row.name,
        back: place.back,
        told: {
          isCards: true,
          lines: [...(place.isHouse ? [] : [t.asOperator]), ...(done ? [done] : [])],
          parts: [
            {
              title: t.look,
              rows: [
                [t.color, row.accent ?? texts.own],
                [t.logo, logoName(row.logo_path)],
                [t.language, languageName(row.language)],
                [t.hours, row.help_hours ?? t.usualHours],
              ],
              links: [
                link(t.changeLook, 'look'),
                link(texts.logo, 'logo'),
                ...(kept && place.isHouse ? [link(houseDesk.putBack, 'back')] : []),
              ],
            },
            {
              title: t.people,
              rows: [
                [t.accounts, people.get('active') ?? '0'],
                [t.off, people.get('inactive') ?? '0'],
              ],
            },
            {
              title: t.staff,
              rows: [
                [t.workHere, String(workHere)],
                [t.administrators, administrators.map(({ name }) => name).join(', ') || t.none],
                [t.roles, roles.join(', ') || noRoles],
              ],
              links: [link(t.openStaff, 'staff')],
            },
            {
              title: t.organisation,
              rows: [[t.provider, organisations.map(({ label }) => label).join(', ') || t.noOwn]],
            },
            {
              title: t.kept,
              lead: t.keptLead,
              rows: [
                [t.name, row.name],
                [t.phone, config.help.phone],
              ],
              links: place.isHouse ? [link(houseDesk.ask.title, 'ask')] : [],
            },
          ],
        },
      };
    },

    /** Returns the form of a note to operators, once an hour for a house. */
    ask: (row: SubtenantRow, place: HousePlace): DeskForm => ({
      title: houseDesk.ask.title,
      changes: houseDesk.ask.changes,
      submit: houseDesk.ask.submit,
      back: place.back,
      fields: [field('longText', 'note', houseDesk.ask.note)],
      async run({ typed: { note = '' }, staff, admin }) {
        if (note.length < 2 || note.length > 1000) {
          throw new FieldProblems({ note: houseDesk.ask.length });
        }
        if (!(await context.rateLimits.isWithin([RATE_LIMITS.askPerHouse, String(row.id)]))) {
          throw new FieldProblems({ form: houseDesk.ask.tooOften });
        }
        await db.transaction().execute(async (transaction) => {
          const details = { subtenantId: row.id };
          await admin.audit({ kind: 'house.asked', details }, transaction);
          const words = { name: row.name, who: staff.name };
          const mailed = { subject: fill(houseDesk.ask.subject, words), lines: [note] };
          await tellOperators(admin, transaction, mailed, `ask:${randomId()}`);
        });
        outbox.wake();
      },
    }),

    async preview(row: SubtenantRow, firstName: string, query: URLSearchParams, isHouse = false) {
      const logos = await logosFor(row, isHouse);
      const subtenant = {
        id: row.id,
        name: (!isHouse && query.get('name')) || row.name,
        logoUrl: logos.find((path) => path === query.get('logo')) ?? row.logo_path,
        accent: query.get('accent') ?? row.accent,
      };
      const asked = query.get('language') ?? row.language;
      const language = OFFERED.find((each) => each === asked) ?? ORIGINAL;
      if (query.get('what') === 'mail') return preview.mail(subtenant, firstName, language);
      const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
      return preview.page(subtenant, theme, language);
    },
  };

  /** Returns how many accounts a house has, by their status. */
  async function countPeople(id: number): Promise<ReadonlyMap<string, string>> {
    const rows = await db
      .selectFrom('users')
      .select((eb) => ['status', eb.fn.countAll<string>().as('count')])
      .where('subtenant_id', '=', id)
      .where('shadow_of', 'is', null)
      .groupBy('status')
      .execute();
    return new Map(rows.map(({ status, count }) => [status, String(count)]));
  }

  /** Returns whether bytes are those of a logo of another house. */
  async function isOfAnother(row: SubtenantRow, bytes: Buffer): Promise<boolean> {
    const configured = loadConfiguredLogos(config);
    const others = (await listSubtenants(db)).filter(({ id }) => id !== row.id);
    const stored = await db.selectFrom('logos').select('file').execute();
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    return (
      stored.some(({ file }) => !file.startsWith(`${row.id}-`) && file.includes(digest)) ||
      others.some((other) => configured.find(logoName(other.logo_path))?.bytes.equals(bytes))
    );
  }
}

const lockRow = (db: Db, id: number): Promise<SubtenantRow> =>
  db
    .selectFrom('subtenants')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();

const logoName = (path: string) => path.replace('/logos/', '');

export const accentField = (accent: string | null): FormField =>
  field('text', 'accent', texts.color, { hint: texts.colorHint, value: accent ?? '' });

export const languageField = (language: string | null): FormField =>
  field('select', 'language', texts.language, {
    value: language ?? '',
    options: [
      { value: '', label: texts.own },
      ...optionsOf(OFFERED, (each) => LANGUAGES[each].name),
    ],
  });

export const lookReaders = ({ accent = '', language = '' }: Typed) => ({
  accent: () => accentIn(accent || 'none'),
  language: () => subtenantLanguageIn(language || 'none'),
});

export const languageName = (language: string | null): string =>
  OFFERED.flatMap((each) => (each === language ? LANGUAGES[each].name : []))[0] ?? texts.own;
