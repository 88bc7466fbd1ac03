/** `porchlight user helpers` and `end-helper`: the trusted helpers of a person. */

import { helperState } from '#domain/people/helpers.ts';
import { fill } from '#locales/fill.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import type { Account } from '#server/accounts/account-store.ts';
import { type HelperRow, helpersOf, peopleHelpedBy } from '#server/accounts/helper-store.ts';
import { endHelpers } from '#server/helpers/helpers.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandContext, tableLines, type Output, output } from './command.ts';

/** Lists who may help a person, and whom the person helps. */
export async function listHelpers(context: CommandContext, { id }: Account): Promise<Output> {
  const { db, clock } = context;
  const now = clock.now();
  const listed = (row: HelperRow, who: string, name: string) => ({
    id: row.id,
    who,
    name,
    relation: row.relation,
    state: helperState(
      { addedAt: row.added_at, endsAt: row.ends_at, removedAt: row.removed_at },
      now,
    ),
    since: (row.added_at ?? row.asked_at).toISOString(),
    endsAt: (row.removed_at ?? row.ends_at).toISOString(),
  });
  const helpers = await helpersOf(db, id);
  const people = await peopleHelpedBy(db, id, now);
  const data = [
    ...helpers.map((row) => listed(row, texts.isHelper, row.helperName || row.email)),
    ...people.map((row) => listed(row, texts.helps, row.memberName)),
  ];
  return tableLines(data, texts.helpersHeader, Object.values);
}

/** Ends one helper of a person, or the person's own help for somebody. @throws OperatorError when there is none */
export const endHelper =
  (helper: string) =>
  async (context: CommandContext, { id }: Account): Promise<Output> => {
    const count = await context.db.transaction().execute(async (transaction) => {
      const own = await helpersOf(transaction, id);
      const people = await peopleHelpedBy(transaction, id, context.clock.now());
      const ids = [...own, ...people].filter((row) => row.id === helper).map((row) => row.id);
      const end = { ids, by: 'operator' } as const;
      return endHelpers(context, transaction, end);
    });
    if (count === 0) throw new OperatorError(fill(texts.noHelper, { id, helper }));
    return output([fill(texts.helperEnded, { id, helper })], { id, helper });
  };
