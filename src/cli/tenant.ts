import { parseSubtenantId } from '#domain/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { tenantCommand as texts } from '#locales/operator/tenant-command.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { loadConfiguredLogos } from '#server/subtenants/logos.ts';
import {
  insertSubtenant,
  listSubtenants,
  type SubtenantChange,
  type SubtenantRow,
  updateSubtenant,
} from '#server/subtenants/subtenant-store.ts';
import {
  type Command,
  type CommandContext,
  output,
  type Output,
  readWords,
  wrongUsage,
} from './command.ts';
import { checkSubtenants } from './doctor.ts';

export const DEFAULT_LOGO = '/logos/porchlight.svg';
const usage = () => wrongUsage('subtenant');

/** `porchlight subtenant list | check | add | set | close | open`: the organizations that people sign up with (GEN-03). */
export const tenant: Command = (words) => {
  const { verb, id: word, name, logo, accent, isBare } = parse(words);
  if (verb === 'list' || verb === 'check') {
    if (word !== undefined || !isBare) throw usage();
    return (at) =>
      at.withDatabase(async ({ db, config }) =>
        verb === 'list' ? list(await listSubtenants(db)) : checkSubtenants(db, config),
      );
  }
  const id = word === undefined ? null : parseSubtenantId(word);
  const does = doing(verb, { name, logo, accent, isBare });
  if (!does || word === undefined) throw usage();
  if (id === null) throw new OperatorError(texts.badId);
  return (at) =>
    at.withDatabase((context) =>
      context.db.transaction().execute(async (db) => {
        const said = await does({ ...context, db }, id);
        return output([said], { id });
      }),
    );
};

type Words = {
  readonly name: string | undefined;
  readonly logo: string | undefined;
  readonly accent: string | undefined;
  /** Nothing but the verb and the id. */
  readonly isBare: boolean;
};

type Doing = (context: CommandContext, id: number) => Promise<string>;

function doing(verb: string, { name, logo, accent, isBare }: Words): Doing | null {
  const change = {
    ...(name !== undefined && { name: parseName(name) }),
    ...(logo !== undefined && { logo_path: logo }),
    ...(accent !== undefined && { accent: parseAccent(accent) }),
  };
  switch (verb) {
    case 'add': {
      if (name === undefined) return null;
      return async (context, id) => {
        const row = { logo_path: DEFAULT_LOGO, accent: null, ...change, id, name: parseName(name) };
        requireLogo(context, row.logo_path);
        if (!(await insertSubtenant(context.db, row))) {
          throw new OperatorError(fill(texts.taken, { id }));
        }
        await note(context, 'subtenant.added', id, row);
        return fill(texts.added, { id, name: row.name });
      };
    }
    case 'set':
      return isBare
        ? null
        : changing('subtenant.changed', change, (id) => fill(texts.changed, { id }));
    case 'close':
      return isBare
        ? changing('subtenant.closed', { is_active: false }, (id) => fill(texts.isClosed, { id }))
        : null;
    case 'open':
      return isBare
        ? changing('subtenant.opened', { is_active: true }, (id) => fill(texts.isOpen, { id }))
        : null;
    default:
      return null;
  }
}

function changing(kind: string, change: SubtenantChange, said: (id: number) => string): Doing {
  return async (context, id) => {
    if (change.logo_path !== undefined) requireLogo(context, change.logo_path);
    if (!(await updateSubtenant(context.db, id, change))) {
      throw new OperatorError(fill(texts.unknown, { id }));
    }
    await note(context, kind, id, change);
    return said(id);
  };
}

const note = ({ audit, db }: CommandContext, kind: string, id: number, change: SubtenantChange) =>
  audit({ kind, details: { subtenantId: id, ...change } }, db);

function list(rows: readonly SubtenantRow[]): Output {
  const data = rows.map(({ id, name, logo_path: logoPath, accent, is_active: isOpen }) => ({
    id,
    name,
    logoPath,
    accent,
    isOpen,
  }));
  if (rows.length === 0) return output([texts.none], data);
  const lines = rows.map(({ id, name, logo_path, accent, is_active }) =>
    [id, name, logo_path, accent ?? texts.noAccent, is_active ? texts.open : texts.closed].join(
      ', ',
    ),
  );
  return output([texts.header, ...lines], data);
}

/** A logo that is not there would be a broken picture on every page. @throws OperatorError */
function requireLogo({ config }: CommandContext, path: string): void {
  const paths = loadConfiguredLogos(config).paths();
  if (paths.includes(path)) return;
  throw new OperatorError(fill(texts.noLogo, { logo: path, paths: paths.join(', ') }));
}

/** @throws OperatorError for what is no line */
export function parseName(text: string): string {
  const name = text.trim();
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,80}$/u.test(name)) throw new OperatorError(texts.badName);
  return name;
}

function parseAccent(text: string): string | null {
  if (text === 'none') return null;
  if (!/^#[\da-f]{6}$/i.test(text)) throw new OperatorError(texts.badAccent);
  return text.toUpperCase();
}

function parse(words: readonly string[]) {
  const string = { type: 'string' } as const;
  const options = { name: string, logo: string, accent: string };
  const { values, positionals } = readWords(words, options, 'subtenant');
  const [verb = '', id, name, ...rest] = positionals;
  const isNamedTwice = verb === 'add' && values.name !== undefined;
  const isNamedElsewhere = verb !== 'add' && name !== undefined;
  if (rest.length > 0 || isNamedTwice || isNamedElsewhere) throw usage();
  const given = { ...values, name: name ?? values.name };
  const isBare = Object.values(given).every((value) => value === undefined);
  return { verb, id, name: given.name, logo: given.logo, accent: given.accent, isBare };
}
