import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { accentTheme } from '#domain/looks/theme.ts';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { tenantCommand } from '#locales/operator/tenant-command.ts';
import type { Config } from '#server/config/config.ts';
import type { Db } from '#server/db/database.ts';
import { faultOfName, takenName } from '#server/subtenants/house-names.ts';
import { nameInTexts } from '#server/notifications/sms-text.ts';
import { logoPaths } from '#server/subtenants/subtenant-operations.ts';
import { listSubtenants, type SubtenantRow } from '#server/subtenants/subtenant-store.ts';
import { bad, type Finding, good } from '#server/core/finding.ts';

/** Tells a name that may mislead: it was there before the rule, or the operator insisted on it. */
function nameFindings(row: SubtenantRow, rows: readonly SubtenantRow[]): readonly Finding[] {
  if (!row.is_active) return [];
  const taken = takenName(row, rows);
  const { id, name } = row;
  if (taken !== null) return [bad('warning', 'subtenants', 'nameTaken', { id, name: taken })];
  const fault = faultOfName(name);
  return fault === null
    ? []
    : [bad('warning', 'subtenants', 'badName', { id, why: tenantCommand.nameFaults[fault] })];
}

export async function lookAtSubtenants(db: Db, config: Config): Promise<readonly Finding[]> {
  const rows = await listSubtenants(db);
  const logos = await logoPaths({ db, config });
  const id = DEFAULT_SUBTENANT_ID;
  const isThere = rows.some((row) => row.id === id && row.is_active);
  return [
    isThere
      ? good('subtenants', texts.subtenant, { id })
      : bad('fault', 'subtenants', 'noSubtenant', { id }),
    ...rows.flatMap((row) => {
      const name = nameInTexts(row.name, new URL(config.publicUrl).host);
      return name === null ? [] : [good('subtenants', texts.nameInTexts, { id: row.id, name })];
    }),
    ...rows.flatMap((row) => [
      ...nameFindings(row, rows),
      ...(row.accent !== null && accentTheme(row.accent) === null
        ? [bad('warning', 'subtenants', 'badAccent', { id: row.id })]
        : []),
      ...(logos.includes(row.logo_path)
        ? []
        : [bad('fault', 'subtenants', 'badLogo', { id: row.id, logo: row.logo_path })]),
    ]),
  ];
}
