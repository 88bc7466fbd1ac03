import { pathOf } from '#domain/flow/screens.ts';
import { listSessions, signOut } from '../administration/sessions.ts';
import type { ServerContext } from '../core/context.ts';
import type { Consents } from '../identity-provider/oauth-clients/consents.ts';
import { type AccountForms, type Me, textOf } from './account-page.ts';
import type { StepUp } from './step-up.ts';

/** Returns the sessions of a person, and the one of this page. */
export async function sessionsOf(context: ServerContext, { loggedInUserId, signInId }: Me) {
  const sessions = await listSessions(context, { id: loggedInUserId });
  return { sessions, own: sessions.find(({ id }) => id === signInId) };
}

/** Creates the forms that end sessions and take back what applications were allowed. */
export function createSessionsAndApps(
  context: ServerContext,
  consents: Pick<Consents, 'revoke'> | null,
  stepUp: StepUp,
): AccountForms {
  return {
    async myDevices(me, sent) {
      const { sessions, own } = await sessionsOf(context, me);
      const page = pathOf('myDevices');
      if (!(await stepUp.isFreshIn(me))) return { page };
      const which = textOf(sent, 'session');
      for (const each of sessions) {
        if (each === own || (which !== 'others' && each.id !== which)) continue;
        await signOut(context, { id: me.loggedInUserId }, each.id);
      }
      context.outbox.wake();
      return { page };
    },

    async myApps(me, sent) {
      await consents?.revoke(me.loggedInUserId, textOf(sent, 'client'));
      return { page: pathOf('myApps') };
    },
  };
}
