/** `porchlight house`: the administrators of subtenants, the roles that they give, and invitations (HOU-01, HOU-02, HOU-11). */

import { isRoleId } from '#domain/people/roles.ts';
import { fill } from '#locales/fill.ts';
import { houseCommand as texts } from '#locales/operator/house-command.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import {
  addAdministrator,
  houseRolesOf,
  listAdministrators,
  setHouseRoles,
} from '#server/people/house.ts';
import { removeAdministrator } from '#server/people/remove-administrator.ts';
import { waitingInvitations, withdrawInvitation } from '#server/people/invitations.ts';
import { type CommandOf, onDatabase, output, type Run, tableLines } from './command.ts';
import { rolesIn, rolesText, subtenantIn } from './person-words.ts';
import { onAccount } from './user.ts';

const administrators = (word?: string): Run => {
  const subtenantId = word === undefined ? null : subtenantIn(word);
  return onDatabase(async ({ db }) =>
    tableLines(
      await listAdministrators(db, subtenantId),
      texts.header,
      ({ since, ...row }) => [...Object.values(row), since.toISOString().slice(0, 10)],
      texts.none,
    ),
  );
};

const add: Parameters<typeof onAccount>[1] = async (context, { id }) => {
  const { subtenantId, outcome } = await addAdministrator(context, id, null);
  const words = { id, subtenantId };
  return output([fill(outcome === 'added' ? texts.added : texts.addedAlready, words)], words);
};

const remove: Parameters<typeof onAccount>[1] = async (context, { id }) => {
  const isRemoved = await removeAdministrator(context, id);
  return output([fill(isRemoved ? texts.removed : texts.removedAlready, { id })], { id });
};

export const house: CommandOf<'house'> = {
  admin([act, word]) {
    if (act === 'list') return administrators(word);
    if (act !== 'add' && act !== 'remove') throw new OperatorError(texts.badAct);
    if (word === undefined) throw new OperatorError(texts.noPerson);
    return onAccount([word], act === 'add' ? add : remove);
  },

  roles([word = ''], { set }) {
    const id = subtenantIn(word);
    const named = set?.split(',').filter((role) => role !== '' && role !== 'none');
    const wanted = named && rolesIn(named);
    return onDatabase(async (context) => {
      if (wanted) await setHouseRoles(context, id, wanted);
      const roles = (await houseRolesOf(context.db, id)).filter(isRoleId);
      const said =
        roles.length > 0
          ? fill(texts.roles, { id, roles: rolesText(roles) })
          : fill(texts.noRoles, { id });
      return output([said], { id, roles });
    });
  },

  invitations([word]) {
    const subtenantId = word === undefined ? null : subtenantIn(word);
    return onDatabase(async (context) => {
      const rows = await waitingInvitations(context, subtenantId);
      return tableLines(
        rows.map((row) => ({
          id: row.id,
          subtenantId: row.subtenant_id,
          email: row.email,
          role: row.role_id,
          sentBy: row.sent_by,
          until: row.expires_at,
        })),
        texts.invitationsHeader,
        ({ until, ...row }) => [...Object.values(row), until.toISOString().slice(0, 10)],
        texts.noInvitations,
      );
    });
  },

  withdraw([word = '']) {
    return onDatabase(async (context) => {
      const rows = await waitingInvitations(context, null);
      const row = rows.find(({ id }) => String(id) === word);
      if (!row) throw new OperatorError(fill(texts.noInvitation, { id: word }));
      await withdrawInvitation(context, row);
      return output([fill(texts.withdrawn, { id: word })], { id: row.id });
    });
  },
};
