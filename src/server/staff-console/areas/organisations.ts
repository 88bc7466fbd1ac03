import type { FieldKind, FormField, ListRow } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { ROLES } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { organisationsDesk as texts } from '#locales/operator/console-areas.ts';
import { organisationCommand } from '#locales/operator/organisation-command.ts';
import type { FullContext } from '../../access/context.ts';
import { linkedPeople } from '../../accounts/organisation-links.ts';
import type { Fault } from '../../config/setting.ts';
import {
  MEMBERS,
  ORGANISATION_ID,
  type OrganisationEntry,
} from '../../organisations/organisation-entry.ts';
import {
  addOrganisation,
  makeBearer,
  parseOrganisation,
  removeOrganisation,
  replaceOrganisation,
  shownOrganisation,
} from '../../organisations/organisation-operations.ts';
import { redirectUriOf } from '../../organisations/organisation-paths.ts';
import {
  findOrganisation,
  listOrganisations,
  type Organisation,
} from '../../organisations/organisation-store.ts';
import { checkOrganisations } from '../../organisations/upstream.ts';
import { listSubtenants } from '../../subtenants/subtenant-store.ts';
import { type DeskArea, type DeskForm, formsOf, searchedList } from '../desk-area.ts';
import { field, FieldProblems, linkTo } from '../form-fields.ts';

const PATH = consolePath('organisations');

/** An organisation of an address; without a row it is not set up yet. */
type Asked = { readonly id: string; readonly row: Organisation | undefined };

/** Creates the operators' pages of organisations, over the functions of `porchlight organisation`. */
export function organisationsArea(context: FullContext): DeskArea {
  const { db, config } = context;

  const step = (at: number, { id, row }: Asked) => ({
    title: fill(texts.stepTitle, { label: row?.label ?? id }),
    steps: { names: texts.steps, at },
  });

  const add: DeskForm = {
    title: texts.addTitle,
    lead: texts.addLead,
    changes: [texts.addChanges],
    submit: texts.goOn,
    fields: [field('text', 'organisationId', texts.id, { hint: texts.idHint })],
    async run({ typed: { organisationId: id = '' } }) {
      if (!ORGANISATION_ID.test(id)) throw new FieldProblems({ organisationId: texts.badId });
      if (await findOrganisation(db, id)) throw new FieldProblems({ organisationId: texts.taken });
      return { page: `${PATH}/${id}/step-1` };
    },
  };

  const tellThem = (asked: Asked): DeskForm => {
    const redirectUri = redirectUriOf(config, asked.id);
    return {
      ...step(0, asked),
      lead: texts.lead,
      told: {
        lines: [],
        parts: [
          {
            title: texts.steps[0],
            lead: texts.tellThem,
            rows: texts.facts.map(([name, text]) => [name, fill(text, { redirectUri })] as const),
          },
          { title: texts.where, rows: texts.providers },
        ],
        next: { label: texts.haveDone, href: `${PATH}/${asked.id}/step-2` },
      },
    };
  };

  /** The console keeps what only a file sets, and insists only on roles that a file insisted on. */
  const tellUs = async (asked: Asked): Promise<DeskForm> => {
    const { id, row } = asked;
    const entry = row && shownOrganisation(row);
    const houses = await listSubtenants(db);
    const house = houses.find((each) => each.id === entry?.subtenantId)?.name ?? '';
    const options: Partial<Record<Field[0], NonNullable<FormField['options']>>> = {
      subtenantId: [
        { value: '', label: texts.choose },
        ...houses.map((each) => ({ value: String(each.id), label: each.name })),
      ],
      subject: texts.subjects,
      roles: rolesFor(entry),
      secondFactor: texts.factors,
    };
    const asks = entry ? ALWAYS : [...ONCE, ...ALWAYS];
    const fields = asks.map(([name, kind]) => ({
      name,
      kind,
      value: shownValue(entry?.[name]),
      options: options[name] ?? [],
      ...texts.fields[name],
    }));
    return {
      ...step(1, asked),
      ...(entry && { lead: fill(texts.stays, { house, issuer: entry.issuer }) }),
      changes: texts.changes,
      submit: texts.save,
      back: { label: texts.backToFirst, href: `${PATH}/${id}/step-1` },
      fields,
      async run({ typed, admin }) {
        const values = asks.map((field) => [field[0], typedValue(field, typed[field[0]])]);
        const given = { ...entry, id, ...Object.fromEntries(values) };
        const insisting = { evenSo: entry !== undefined };
        const read = parseOrganisation(context, given, insisting);
        if ('faults' in read) throw problemsOf(read.faults, fields);
        await (entry ? replaceOrganisation : addOrganisation)(admin, given, insisting);
        return { page: `${PATH}/${id}/step-3` };
      },
    };
  };

  /** Makes a verb of an organisation that is set up. */
  const ofRow =
    (form: (row: Organisation) => DeskForm | Promise<DeskForm>) =>
    async ({ row }: Asked): Promise<DeskForm | null> =>
      row ? form(row) : null;

  const tryIt = (row: Organisation): DeskForm => ({
    ...step(2, { id: row.id, row }),
    lead: texts.tryLead,
    changes: texts.tryChanges,
    submit: texts.tryIt,
    async run({ admin }) {
      const findings = await checkOrganisations(admin, [row]);
      const faults = findings.filter(({ state }) => state === 'fault').length;
      const details = { organisationId: row.id, faults };
      await admin.audit({ kind: 'organisation.checked', details });
      const rows = findings.map(
        ({ state, what, mend }) => [texts.found[state], mend ? `${what}. ${mend}.` : what] as const,
      );
      const isReady = faults === 0 && !row.on;
      const next = isReady ? 'on' : faults > 0 ? 'step-2' : null;
      return {
        told: {
          lines: [],
          parts: [{ title: faults > 0 ? texts.fails : texts.works, rows }],
          ...(isReady && { ask: texts.ask }),
          ...(next && { next: { label: texts.next[next], href: `${PATH}/${row.id}/${next}` } }),
        },
      };
    },
  });

  const setOn = (row: Organisation, on: boolean): DeskForm => ({
    title: fill(on ? texts.onTitle : texts.offTitle, { label: row.label }),
    changes: on ? texts.onChanges : texts.offChanges,
    submit: on ? texts.on : texts.off,
    isGrave: !on,
    run: ({ admin }) =>
      replaceOrganisation(admin, { ...shownOrganisation(row), on }, { evenSo: true }),
  });

  const bearer = ({ id, label, hasBearer }: Organisation): DeskForm => ({
    title: fill(texts.bearerTitle, { label }),
    changes: [...(hasBearer ? [texts.bearerEnds] : []), texts.bearerOnce],
    submit: texts.bearer,
    isGrave: hasBearer,
    async run({ admin }) {
      const secret = await makeBearer(admin, id);
      const address = `${config.publicUrl}/scim/v2`;
      return { told: { lines: [fill(texts.bearerTold, { address }), texts.bearerSince], secret } };
    },
  });

  const remove = async ({ id, label }: Organisation): Promise<DeskForm> => ({
    title: fill(texts.removeTitle, { label }),
    changes: [
      fill(texts.removePeople, { count: (await linkedPeople(db)).get(id) ?? 0 }),
      texts.removeChanges,
    ],
    submit: texts.remove,
    isGrave: true,
    run: ({ admin }) => removeOrganisation(admin, id),
  });

  return {
    area: 'organisations',
    // An Auth0 tenant has sign-ins of its own.
    texts: config.tenant ? { ...texts.list, lead: texts.offBesideTenant } : texts.list,
    list: searchedList(
      texts.search,
      async () => {
        const people = await linkedPeople(db);
        return (await listOrganisations(db)).map((row) => rowOf(row, people.get(row.id)));
      },
      () => [linkTo(texts.addTitle, 'organisations', 'add')],
    ),
    form: formsOf<Asked>(
      { add },
      async (id) => (ORGANISATION_ID.test(id) ? { id, row: await findOrganisation(db, id) } : null),
      {
        'step-1': tellThem,
        'step-2': tellUs,
        'step-3': ofRow(tryIt),
        on: ofRow((row) => setOn(row, true)),
        off: ofRow((row) => setOn(row, false)),
        bearer: ofRow(bearer),
        remove: ofRow(remove),
      },
    ),
  };
}

function rowOf(row: Organisation, linked = 0): ListRow {
  const to = (label: string, verb: string) => linkTo(label, 'organisations', row.id, verb);
  return {
    id: row.id,
    cells: [
      row.label,
      row.id,
      String(row.subtenantId),
      row.issuer,
      String(linked),
      row.on
        ? { text: organisationCommand.isOn, tone: 'ok' }
        : { text: organisationCommand.isOff, tone: 'off' },
    ],
    actions: [
      to(texts.setUp, 'step-1'),
      row.on ? to(texts.off, 'off') : to(texts.on, 'on'),
      to(texts.bearer, 'bearer'),
      to(texts.remove, 'remove'),
    ],
  };
}

type Field = readonly [name: keyof typeof texts.fields, kind: FieldKind];

/** With another value it is another organisation. */
const ONCE: readonly Field[] = [
  ['subtenantId', 'select'],
  ['subject', 'select'],
  ['issuer', 'text'],
];
// prettier-ignore
const ALWAYS: readonly Field[] = [
  ['clientId', 'text'], ['clientSecret', 'secret'], ['secretEndsOn', 'date'], ['label', 'text'], ['domains', 'text'],
  ['hostedDomain', 'text'], ['roles', 'checks'], ['secondFactor', 'select'], ['console', 'check'], ['only', 'check'],
  ['helpName', 'text'], ['helpPhone', 'text'],
];

function shownValue(value: OrganisationEntry[Field[0]] | undefined): string {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'boolean' ? (value ? 'on' : '') : String(value ?? '');
}

function typedValue([name, kind]: Field, text = '') {
  if (kind === 'check') return text === 'on';
  if (name === 'subtenantId') return Number(text) || undefined;
  if (name !== 'roles' && name !== 'domains') return text || undefined;
  const words = text.split(/[\s,]+/).filter(Boolean);
  return name === 'roles' ? words.map(Number) : words;
}

/** Returns the roles to choose from: those with an app that no sign-up gives, and those that are chosen. */
const rolesFor = (entry: OrganisationEntry | undefined) =>
  Object.entries(ROLES)
    .filter(([word, { entry: app }]) => {
      const id = Number(word);
      return entry?.roles.includes(id) || (app !== null && !MEMBERS.includes(id));
    })
    .map(([value, { key }]) => ({ value, label: key }));

/** Returns what the command line would say of each value; of a value without a field above the form. */
function problemsOf(faults: readonly Fault[], fields: readonly FormField[]): FieldProblems {
  const problems = faults.map(({ at, says }) => {
    const field = fields.find(({ name }) => name === at[0]);
    const label = field?.label ?? at.join('.');
    return [field?.name ?? 'form', fill(texts.fault, { label, says })];
  });
  return new FieldProblems(Object.fromEntries(problems));
}
