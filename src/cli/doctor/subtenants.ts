import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { accentTheme } from '#domain/looks/theme.ts';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import type { Config } from '#server/config/config.ts';
import type { Db } from '#server/db/database.ts';
import { logoPaths } from '#server/subtenants/subtenant-operations.ts';
import { listSubtenants } from '#server/subtenants/subtenant-store.ts';
import { bad, type Finding, good } from '#server/administration/finding.ts';

export async function lookAtSubtenants(db: Db, config: Config): Promise<readonly Finding[]> {
  const rows = await listSubtenants(db);
  const logos = await logoPaths({ db, config });
  const id = DEFAULT_SUBTENANT_ID;
  const isThere = rows.some((row) => row.id === id && row.is_active);
  return [
    isThere
      ? good('subtenants', texts.subtenant, { id })
      : bad('fault', 'subtenants', 'noSubtenant', { id }),
    ...rows.flatMap((row) => [
      ...(row.accent !== null && accentTheme(row.accent) === null
        ? [bad('warning', 'subtenants', 'badAccent', { id: row.id })]
        : []),
      ...(logos.includes(row.logo_path)
        ? []
        : [bad('fault', 'subtenants', 'badLogo', { id: row.id, logo: row.logo_path })]),
    ]),
  ];
}
