import type { FormField, ListRow } from '#contract/console.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { accentPairs } from '#domain/looks/theme.ts';
import { fill } from '#locales/fill.ts';
import { LANGUAGES, OFFERED, ORIGINAL } from '#locales/languages.ts';
import { subtenantsDesk as texts } from '#locales/operator/console-areas.ts';
import { tenantCommand } from '#locales/operator/tenant-command.ts';
import {
  accentIn,
  addSubtenant,
  changeSubtenant,
  logoPaths,
  openSubtenant,
  subtenantIdIn,
  subtenantLanguageIn,
  subtenantNameIn,
  uploadLogo,
} from '../../subtenants/subtenant-operations.ts';
import { nameInTexts } from '../../notifications/sms-text.ts';
import { qrCodeOf } from '../../proofs/authenticator/qr-code.ts';
import type { FullContext } from '../../access/context.ts';
import { listSubtenants, type SubtenantRow } from '../../subtenants/subtenant-store.ts';
import { type DeskArea, type DeskForm, formsOf, pageOf } from '../desk-area.ts';
import { FieldProblems, readFields, type Typed } from '../form-fields.ts';
import type { createSubtenantPreview } from './subtenant-preview.ts';

const PATH = consolePath('subtenants');

/** Creates the operators' pages of subtenants, over the functions of `porchlight subtenant`. */
export function subtenantsArea(
  { db, config }: Pick<FullContext, 'db' | 'config'>,
  preview: ReturnType<typeof createSubtenantPreview>,
): DeskArea {
  const inTexts = (name: string) => {
    const written = nameInTexts(name, new URL(config.publicUrl).host);
    return written === null ? undefined : fill(tenantCommand.inTexts, { name: written });
  };

  const lookOf = async (row: SubtenantRow): Promise<DeskForm> => ({
    title: row.name,
    changes: [texts.lookChanges],
    submit: texts.save,
    fields: [
      {
        name: 'name',
        label: texts.name,
        kind: 'text',
        value: row.name,
        hint: inTexts(row.name),
      },
      {
        name: 'logo',
        label: texts.logoLabel,
        kind: 'picture',
        value: row.logo_path,
        options: (await logoPaths({ db, config })).map((value) => ({
          value,
          label: value.replace('/logos/', ''),
        })),
      },
      languageField(row.language),
      accentField(row.accent),
    ],
    brand: (typed) => {
      const values = String(new URLSearchParams(typed));
      const { asGiven, pairs } = accentPairs(typed.accent ?? null);
      return { frames: `${PATH}/${row.id}/preview?${values}`, asGiven, pairs };
    },
    async run({ typed, admin }) {
      const { name, ...look } = await readFields({
        // A name that was there before the rule stays until it is changed.
        name: () => (typed.name === row.name ? row.name : subtenantNameIn(typed.name ?? '')),
        ...lookReaders(typed),
      });
      const logo = typed.logo ?? '';
      await changeSubtenant(admin, row.id, { name, logo_path: logo, ...look });
    },
  });

  const add: DeskForm = {
    title: texts.addTitle,
    changes: [texts.addChanges],
    submit: texts.addTitle,
    fields: [
      { name: 'subtenantId', label: texts.id, kind: 'number', hint: texts.idHint },
      { name: 'name', label: texts.name, kind: 'text' },
      accentField(null),
      languageField(null),
    ],
    async run({ typed, admin }) {
      const { subtenantId, ...given } = await readFields({
        subtenantId: () => subtenantIdIn(typed.subtenantId ?? ''),
        name: () => subtenantNameIn(typed.name ?? ''),
        ...lookReaders(typed),
      });
      await addSubtenant(admin, subtenantId, given);
      return { page: `${PATH}/${subtenantId}/links` };
    },
  };

  const logoOf = ({ id, name }: SubtenantRow): DeskForm => ({
    title: fill(texts.logoTitle, { name }),
    changes: [texts.lookChanges],
    submit: texts.save,
    fields: [
      {
        name: 'file',
        label: texts.file,
        kind: 'file',
        hint: texts.fileHint,
        accept: '.svg,.png,.jpg,.jpeg',
      },
    ],
    async run({ files, admin }) {
      const { file } = files;
      if (!file) throw new FieldProblems({ file: texts.fileMissing });
      const bytes = Buffer.from(await file.arrayBuffer());
      await readFields({ file: () => uploadLogo(admin, id, { name: file.name, bytes }) });
    },
  });

  const linksOf = ({ id, name, language, logo_path: logo }: SubtenantRow): DeskForm => {
    const door = (label: string, path: string) => {
      const href = `${config.publicUrl}${path}?subtenantId=${id}`;
      return { label, href, qr: qrCodeOf(href) };
    };
    const told = {
      lines: [
        fill(texts.linksLead, { language: languageName(language) }),
        inTexts(name) ?? [],
      ].flat(),
      doors: [door(texts.signUpLink, pathOf('signUp')), door(texts.signInLink, pathOf('signIn'))],
      logo,
    };
    return { title: name, changes: [], submit: '', told, run: async () => undefined };
  };

  const setOpen = ({ id, name }: SubtenantRow, isOpen: boolean): DeskForm => ({
    title: fill(isOpen ? texts.openTitle : texts.closeTitle, { name }),
    changes: [isOpen ? texts.openChanges : texts.closeChanges],
    submit: isOpen ? texts.open : texts.close,
    isGrave: !isOpen,
    async run({ admin }) {
      await openSubtenant(admin, id, isOpen);
    },
  });

  const find = async (word: string) =>
    (await listSubtenants(db)).find(({ id }) => String(id) === word);

  return {
    area: 'subtenants',
    texts: texts.list,
    list: {
      isPersonal: false,
      links: () => [{ label: texts.addTitle, href: `${PATH}/add` }],
      fields: [{ name: 'text', label: texts.search, kind: 'search' }],
      read: async (asked) => pageOf((await listSubtenants(db)).map(subtenantRow), asked),
    },
    form: formsOf({ add }, find, {
      look: lookOf,
      logo: logoOf,
      links: linksOf,
      open: (row) => setOpen(row, true),
      close: (row) => setOpen(row, false),
    }),
    async page([word = '', verb, ...more], staff, { query }) {
      if (verb !== 'preview' || more.length > 0) return null;
      const row = await find(word);
      if (!row) return null;
      const logos = await logoPaths({ db, config });
      const subtenant = {
        id: row.id,
        name: query.get('name') || row.name,
        logoUrl: logos.find((path) => path === query.get('logo')) ?? row.logo_path,
        accent: query.get('accent') ?? row.accent,
      };
      const asked = query.get('language') ?? row.language;
      const language = OFFERED.find((each) => each === asked) ?? ORIGINAL;
      if (query.get('what') === 'mail') return preview.mail(subtenant, staff.name, language);
      const theme = query.get('theme') === 'dark' ? 'dark' : 'light';
      return preview.page(subtenant, theme, language);
    },
  };
}

function subtenantRow({ id, name, accent, language, is_active: isOpen }: SubtenantRow): ListRow {
  return {
    id: String(id),
    cells: [
      name,
      String(id),
      accent ?? tenantCommand.noAccent,
      languageName(language),
      isOpen ? { text: texts.isOpen, tone: 'ok' } : { text: texts.isClosed, tone: 'off' },
    ],
    actions: [
      { label: texts.links, href: `${PATH}/${id}/links` },
      { label: texts.change, href: `${PATH}/${id}/look` },
      { label: texts.logo, href: `${PATH}/${id}/logo` },
      isOpen
        ? { label: texts.close, href: `${PATH}/${id}/close` }
        : { label: texts.open, href: `${PATH}/${id}/open` },
    ],
  };
}

const languageName = (language: string | null): string =>
  OFFERED.flatMap((each) => (each === language ? LANGUAGES[each].name : []))[0] ?? texts.own;

const accentField = (accent: string | null): FormField => ({
  name: 'accent',
  label: texts.color,
  kind: 'text',
  hint: texts.colorHint,
  value: accent ?? '',
});

const languageField = (language: string | null): FormField => ({
  name: 'language',
  label: texts.language,
  kind: 'select',
  value: language ?? '',
  options: [
    { value: '', label: texts.own },
    ...OFFERED.map((value) => ({ value, label: LANGUAGES[value].name })),
  ],
});

const lookReaders = ({ accent = '', language = '' }: Typed) => ({
  accent: () => accentIn(accent || 'none'),
  language: () => subtenantLanguageIn(language || 'none'),
});
