import { findAccountByEmail } from '../accounts/account-store.ts';
import { recordInRequest } from '../audit/request-context.ts';
import type { ServerContext } from '../context.ts';
import type { PasswordCheck } from './password-check.ts';

/** Wraps a password check with audit events for refusals other than a wrong password: a suspended account, a limit. */
export function withAudit(
  check: PasswordCheck,
  { db, audit }: Pick<ServerContext, 'db' | 'audit'>,
): PasswordCheck {
  return {
    ...check,
    async verify(userName, password, caller) {
      const verdict = await check.verify(userName, password, caller);
      if (verdict.kind === 'ok' && verdict.isSuspended) {
        const userId = Number(verdict.accountId);
        await caller.readVisit?.();
        await audit({
          kind: 'signIn.suspended',
          userId,
          ip: caller.ip,
          details: { at: 'password' },
        });
      }
      if (verdict.kind === 'blocked') {
        // A name with characters that PostgreSQL refuses has no account.
        const account = await findAccountByEmail(db, userName).catch(() => undefined);
        recordInRequest({ userId: account?.id ?? null });
      }
      return verdict;
    },
  };
}
