import { sql } from 'kysely';
import {
  DEFAULT_SUBTENANT_ID,
  type OrganisationButton,
  PRODUCT_LOOK,
  type Subtenant,
} from '#domain/people/subtenants.ts';
import { isLanguage } from '#locales/languages.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../core/context.ts';

/** So long an operator's change of a name, a logo or an accent may take to be seen. */
const LOOK_MS = 5000;

/** The organisations of a subtenant that are on, read with it; `null` for none. */
const organisations = sql<readonly OrganisationButton[] | null>`(
  select jsonb_agg(jsonb_build_object('id', o.id, 'label', o.label, 'isOnly', o.is_only) order by o.id)
  from organisations o where o.subtenant_id = subtenants.id and o.is_on)`.as('organisations');

export type Subtenants = ReturnType<typeof createSubtenants>;

/** Subtenants are branding by hint and authority by row: an id from a browser never grants anything (security D21). */
export function createSubtenants({ db, clock }: Pick<ServerContext, 'db' | 'clock'>) {
  /** Cached for branding alone: checks of rights read the row. */
  const looks = new Map<number, { readonly subtenant: Subtenant; readonly until: number }>();

  async function readCached(id: number, source: Db): Promise<Subtenant | null> {
    const now = clock.now().getTime();
    const known = looks.get(id);
    if (known && known.until > now) return known.subtenant;
    looks.delete(id);
    const subtenant = await find(id, source);
    if (subtenant) looks.set(id, { subtenant, until: now + LOOK_MS });
    return subtenant;
  }

  /** An active subtenant, or `null`. */
  async function find(id: number, source: Db = db): Promise<Subtenant | null> {
    const row = await source
      .selectFrom('subtenants')
      .select(['id', 'name', 'logo_path', 'accent', 'language', 'help_hours', organisations])
      .where('id', '=', id)
      .where('is_active', '=', true)
      .executeTakeFirst();
    if (!row) return null;
    const { name, accent, language } = row;
    const look = { name, logoUrl: row.logo_path, accent };
    return {
      id: row.id,
      ...look,
      ...(isLanguage(language) && { language }),
      ...(row.help_hours !== null && { helpHours: row.help_hours }),
      ...(row.organisations && { organisations: row.organisations }),
    };
  }

  async function shownBy(
    read: typeof readCached,
    id: number | null,
    source: Db,
  ): Promise<Subtenant> {
    const hinted = id === null ? null : await read(id, source);
    return hinted ?? (await read(DEFAULT_SUBTENANT_ID, source)) ?? PRODUCT_LOOK;
  }

  /** An active subtenant by its id or its name, as a request of another application writes it; a name of two is none. */
  async function findNamed(nameOrId: string): Promise<number | null> {
    const text = nameOrId.trim();
    if (/^\d{1,9}$/.test(text)) return (await find(Number(text)))?.id ?? null;
    const rows = await db
      .selectFrom('subtenants')
      .select('id')
      .where(sql`lower(name)`, '=', text.toLowerCase())
      .where('is_active', '=', true)
      .limit(2)
      .execute();
    return rows.length === 1 ? (rows[0]?.id ?? null) : null;
  }

  return {
    find,
    findNamed,
    /** Returns the subtenant to show for a hinted id: itself, or the default one. */
    shown: (id: number | null, source: Db = db): Promise<Subtenant> => shownBy(find, id, source),
    /** The same as it was some seconds ago. */
    shownLately: (id: number | null, source: Db = db): Promise<Subtenant> =>
      shownBy(readCached, id, source),
    /** Keeps the subtenant with the visit, so that a flow never falls back to the default (SRV-26). */
    async remember(visitId: string, id: number): Promise<void> {
      await db
        .updateTable('visits')
        .set({ subtenant_id: id })
        .where('id', '=', visitId)
        .where((eb) => eb.or([eb('subtenant_id', 'is', null), eb('subtenant_id', '!=', id)]))
        .execute();
    },
  };
}
