import { fill } from '#locales/fill.ts';
import { textedNameHint } from '#server/notifications/sms-text.ts';
import { tenantCommand as texts } from '#locales/operator/tenant-command.ts';
import {
  accentIn,
  addSubtenant,
  changeSubtenant,
  helpHoursIn,
  openSubtenant,
  subtenantIdIn,
  subtenantLanguageIn,
  subtenantNameIn,
} from '#server/subtenants/subtenant-operations.ts';
import {
  listSubtenants,
  type SubtenantChange,
  type SubtenantRow,
} from '#server/subtenants/subtenant-store.ts';
import {
  type CommandContext,
  type CommandOf,
  tableLines,
  onDatabase,
  output,
  type Run,
} from './command.ts';
import { report } from './doctor/doctor.ts';
import { lookAtSubtenants } from './doctor/subtenants.ts';
import { wrongUsage } from './program.ts';

/** `porchlight subtenant`: the organizations that people sign up with (GEN-03). */
export const tenant: CommandOf<'subtenant'> = {
  list: () =>
    onDatabase(async ({ db }) =>
      tableLines((await listSubtenants(db)).map(shown), texts.header, subtenantCells, texts.none),
    ),

  check: () => onDatabase(async ({ db, config }) => report(await lookAtSubtenants(db, config))),

  add([word = '', typed = ''], words) {
    const id = subtenantIdIn(word);
    const evenSo = words['even-so'];
    const name = subtenantNameIn(typed, { evenSo });
    const given = { ...changeIn(words), name };
    return changing(id, async (context) => {
      const outcome = await addSubtenant(context, id, given, { evenSo });
      const said = fill(outcome === 'added' ? texts.added : texts.addedAlready, { id, name });
      return [said, textedNameHint(context, name) ?? []].flat();
    });
  },

  set([word = ''], words) {
    const change = changeIn(words);
    if (Object.keys(change).length === 0) throw wrongUsage('subtenant', 'set', texts.nothing);
    const id = subtenantIdIn(word);
    return changing(id, async (context) => {
      await changeSubtenant(context, id, change, { evenSo: words['even-so'] });
      const written = change.name && textedNameHint(context, change.name);
      return [fill(texts.changed, { id }), written || []].flat();
    });
  },

  close: ([word = '']) => setOpen(subtenantIdIn(word), false),
  open: ([word = ''], words) => setOpen(subtenantIdIn(word), true, words['even-so']),
};

const setOpen = (id: number, isOpen: boolean, evenSo?: boolean): Run =>
  changing(id, async (context) => {
    await openSubtenant(context, id, isOpen, { evenSo });
    return [fill(isOpen ? texts.isOpen : texts.isClosed, { id })];
  });

type Values = Parameters<CommandOf<'subtenant'>['set']>[1];

/** Returns the subtenant's values from the options. @throws OperatorError */
const changeIn = ({
  name,
  logo,
  accent,
  language,
  hours,
  'even-so': evenSo,
}: Partial<Values>): SubtenantChange => ({
  ...(name !== undefined && { name: subtenantNameIn(name, { evenSo }) }),
  ...(logo !== undefined && { logo_path: logo }),
  ...(accent !== undefined && { accent: accentIn(accent) }),
  ...(language !== undefined && { language: subtenantLanguageIn(language) }),
  ...(hours !== undefined && { help_hours: helpHoursIn(hours) }),
});

const changing = (id: number, work: (context: CommandContext) => Promise<readonly string[]>): Run =>
  onDatabase(async (context) => output(await work(context), { id }));

function shown(row: SubtenantRow) {
  const { id, name, logo_path: logoPath, accent, is_active: isOpen } = row;
  return { id, name, logoPath, accent, isOpen };
}

const subtenantCells = ({ isOpen, accent, ...row }: ReturnType<typeof shown>) => [
  ...Object.values(row),
  accent ?? texts.noAccent,
  isOpen ? texts.open : texts.closed,
];
