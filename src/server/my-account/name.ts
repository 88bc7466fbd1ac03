import { checkName } from '#domain/typed/sign-up-form.ts';
import { findAccount } from '../accounts/account-store.ts';
import { setPerson } from '../administration/set-person.ts';
import type { ServerContext } from '../core/context.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { type AccountForms, problemsOf, savedPage, textOf } from './account-page.ts';

/** Creates the form of the name. It needs no step-up: a name opens nothing. */
export function createName(
  context: ServerContext,
  notifications: Pick<Notifications, 'accountNotice'>,
): AccountForms {
  return {
    async myName({ loggedInUserId: id }, sent) {
      const typed = { firstName: textOf(sent, 'firstName'), lastName: textOf(sent, 'lastName') };
      const checked = checkName(typed);
      if (!checked.isValid) return { problems: problemsOf(checked.problems), typed };
      await context.db.transaction().execute(async (db) => {
        const outcome = await setPerson({ ...context, db }, id, checked.values);
        const account = await findAccount(db, id);
        if (outcome.kind !== 'done' || outcome.changed.length === 0 || !account) return;
        const words = { name: `${account.first_name} ${account.last_name}` };
        await notifications.accountNotice(db, account, { kind: 'nameChanged', words }, randomId());
      });
      context.outbox.wake();
      return savedPage;
    },
  };
}
