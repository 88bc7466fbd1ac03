import { fill } from '#locales/fill.ts';
import { tenantCommand as texts } from '#locales/operator/tenant-command.ts';
import {
  accentIn,
  addSubtenant,
  changeSubtenant,
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
  output,
  type Output,
  type Run,
  table,
} from './command.ts';
import { onDatabase } from './on-database.ts';
import { checkSubtenants } from './doctor/doctor.ts';
import { wrongUsage } from './program.ts';

/** `porchlight subtenant`: the organizations that people sign up with (GEN-03). */
export const tenant: CommandOf<'subtenant'> = {
  list: () => onDatabase(async ({ db }) => list(await listSubtenants(db))),

  check: () => onDatabase(({ db, config }) => checkSubtenants(db, config)),

  add([word = '', typed = ''], words) {
    const id = subtenantIdIn(word);
    const name = subtenantNameIn(typed);
    const given = { ...changeIn(words), name };
    return changing(id, async (context) => {
      const outcome = await addSubtenant(context, id, given);
      return fill(outcome === 'added' ? texts.added : texts.addedAlready, { id, name });
    });
  },

  set([word = ''], words) {
    const change = changeIn(words);
    if (Object.keys(change).length === 0) throw wrongUsage('subtenant', 'set', texts.nothing);
    const id = subtenantIdIn(word);
    return changing(id, async (context) => {
      await changeSubtenant(context, id, change);
      return fill(texts.changed, { id });
    });
  },

  close: ([word = '']) => setOpen(subtenantIdIn(word), false),

  open: ([word = '']) => setOpen(subtenantIdIn(word), true),
};

const setOpen = (id: number, isOpen: boolean): Run =>
  changing(id, async (context) => {
    await openSubtenant(context, id, isOpen);
    return fill(isOpen ? texts.isOpen : texts.isClosed, { id });
  });

/** Returns the subtenant's values from the options. @throws OperatorError */
function changeIn({
  name,
  logo,
  accent,
  language,
}: {
  readonly name?: string;
  readonly logo?: string;
  readonly accent?: string;
  readonly language?: string;
}): SubtenantChange {
  return {
    ...(name !== undefined && { name: subtenantNameIn(name) }),
    ...(logo !== undefined && { logo_path: logo }),
    ...(accent !== undefined && { accent: accentIn(accent) }),
    ...(language !== undefined && { language: subtenantLanguageIn(language) }),
  };
}

const changing = (id: number, work: (context: CommandContext) => Promise<string>): Run =>
  onDatabase(async (context) => output([await work(context)], { id }));

function list(rows: readonly SubtenantRow[]): Output {
  const data = rows.map(({ id, name, logo_path: logoPath, accent, is_active: isOpen }) => ({
    id,
    name,
    logoPath,
    accent,
    isOpen,
  }));
  if (rows.length === 0) return output([texts.none], data);
  const cells = data.map(({ id, name, logoPath, accent, isOpen }) => [
    id,
    name,
    logoPath,
    accent ?? texts.noAccent,
    isOpen ? texts.open : texts.closed,
  ]);
  return output(table(texts.header, cells), data);
}
