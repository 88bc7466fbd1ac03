import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import type { DeedContext } from '../access/context.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import { hasOperator } from '../access/last-operator.ts';

/** Warns the operator of an installation in use about what is not set up yet. */
export async function warnOfGaps(
  { db, config }: Pick<DeedContext, 'db' | 'config'>,
  subtenants: Pick<Subtenants, 'find'>,
  log: { warn(text: string): void },
): Promise<void> {
  const isDemo = config.mode === 'demo';
  if (!isDemo && (await subtenants.find(DEFAULT_SUBTENANT_ID)) === null) {
    log.warn(fill(texts.noSubtenant, { id: DEFAULT_SUBTENANT_ID }));
  }
  if ((await hasOperator({ db, config })) === false) log.warn(texts.noOperator);
  if (!isDemo && !config.crm) log.warn(fill(texts.leadsStay, { days: config.leadDays }));
}
