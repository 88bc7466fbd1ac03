import type { DeedContext, FullContext } from '../access/context.ts';
import type { Db } from '../db/database.ts';
import {
  type Actor,
  auditBy,
  type ClientOperations,
} from '../identity-provider/embedded/managed-users.ts';
import { setSuspended } from './people.ts';
import { erasePerson } from './privacy/erase.ts';
import { signOut } from '../access/sessions.ts';

/** Returns the operations on a person for calls of programs: each event names the program. */
export function operationsByClient(context: FullContext): ClientOperations {
  const contextOf = (db: Db, by: Actor): DeedContext => ({
    ...context,
    db,
    audit: auditBy(context.audit)(by),
  });
  return {
    async endSessions(userId, sessionId, by) {
      await signOut(contextOf(context.db, by), { id: userId }, sessionId);
      context.outbox.wake();
    },
    async setSuspended(transaction, userId, isSuspended, by) {
      await setSuspended(contextOf(transaction, by), userId, isSuspended);
    },
    erase: async (transaction, userId, by) =>
      (await erasePerson(contextOf(transaction, by), userId)) !== null,
  };
}
