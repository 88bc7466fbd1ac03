import type { AdminContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { isStoredLogo, loadConfiguredLogos, type LogoFile, logoType } from './logos.ts';

const MOST_REMEMBERED = 100;

/** Creates the lookup of logos: those of the installation, and those that an operator stored. */
export function createLogos({ db, config }: Pick<AdminContext, 'db' | 'config'>) {
  const configured = loadConfiguredLogos(config);
  const findStored = createStoredLogos(db);
  return {
    find: async (file: string) => configured.find(file) ?? findStored(file),
    /** Returns a logo as mails show it. */
    ofMail(logoPath: string) {
      const logo = configured.forMail(logoPath);
      return logo && { ...logo, url: `${config.publicUrl}${logo.path}` };
    },
  };
}

/** Creates the lookup of stored logos. A name never gets other bytes, so that what was read stays right. */
function createStoredLogos(db: Db) {
  const known = new Map<string, LogoFile>();
  return async (file: string): Promise<LogoFile | null> => {
    if (!isStoredLogo(file)) return null;
    const kept = known.get(file);
    if (kept) return kept;
    const row = await db
      .selectFrom('logos')
      .select('content')
      .where('file', '=', file)
      .executeTakeFirst();
    if (!row) return null;
    const logo = { bytes: Buffer.from(row.content, 'base64'), type: logoType(file) };
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(file, logo);
    return logo;
  };
}
