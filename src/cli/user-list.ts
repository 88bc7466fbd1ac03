import { isRoleId } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { userCommand as texts } from '#locales/operator/user-command.ts';
import { foldNewestNames } from '#server/accounts/name-keys.ts';
import { listAccounts } from '#server/people/people.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type CommandOf, onDatabase, output, type Run, table } from './command.ts';
import { rolesText, rolesIn, subtenantIn } from './person-words.ts';

const STATES = ['active', 'pending', 'inactive'] as const;
const LONGEST_LIST = 10_000;
/** Turns of 250 names each, so that a command ends within seconds. */
const MOST_TURNS = 40;

/** Lists accounts, or those with a text in their name, address or number. */
export function listAccountsOf(
  { role = [], subtenant, status, count = '100' }: Parameters<CommandOf<'user'>['list']>[1],
  text: string | null,
): Run {
  const roleIds = rolesIn(role);
  const subtenantId = subtenant === undefined ? null : subtenantIn(subtenant);
  const wanted = STATES.find((state) => state === status) ?? null;
  const most = Number(count);
  if (!Number.isInteger(most) || most < 1 || most > LONGEST_LIST) {
    throw new OperatorError(fill(texts.badCount, { most: LONGEST_LIST }));
  }
  return onDatabase(async ({ db, clock }) => {
    // Also those that were written while no server ran.
    let isWaiting = text !== null;
    for (let turns = MOST_TURNS; isWaiting && turns > 0; turns -= 1) {
      isWaiting = await foldNewestNames(db);
    }
    const data = await listAccounts(
      { db, clock },
      { text, roleIds, subtenantId, status: wanted, most },
    );
    if (text !== null && data.length === 0) {
      throw new OperatorError(fill(isWaiting ? texts.foundNoneYet : texts.foundNone, { text }));
    }
    const rows = data.map(({ id, email, name, status, subtenantId, roles }) => {
      return [id, email, name, status, subtenantId, rolesText(roles.filter(isRoleId))];
    });
    const moved = data.filter(({ oldEmail }) => oldEmail !== undefined);
    const said = moved.map(({ id, oldEmail = '' }) => fill(texts.foundByOld, { id, oldEmail }));
    return output([...table(texts.listHeader, rows), ...said], data);
  });
}
