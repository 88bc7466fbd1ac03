/** Events and sessions of an account, in the format of Auth0's Management API. */

import type { StoredPayload } from '../../store-port.ts';
import type { UserEvent } from '../../user-directory.ts';

/** Auth0's codes of event types; events without one are described in `description`. */
const TYPES: Readonly<Record<string, string>> = {
  'signIn.complete': 's',
  'signIn.wrongPassword': 'fp',
  'signIn.suspended': 'limit_wc',
  'signUp.created': 'ss',
  'account.activated': 'sv',
  'reset.asked': 'scpr',
  'reset.done': 'scp',
  'otp.sent': 'gd_send_email',
  'otp.verified': 'gd_auth_succeed',
  'otp.wrong': 'gd_auth_failed',
};
const OTHER = { success: 'sapi', failure: 'fapi' } as const;

/** Returns an event as an entry of Auth0's log. */
export function toLog(event: UserEvent): object {
  const { id, at, kind, isFailure, reason, ip, clientId, userId } = event;
  return {
    log_id: id,
    _id: id,
    date: at.toISOString(),
    type: TYPES[kind] ?? OTHER[isFailure ? 'failure' : 'success'],
    description: kind,
    ...(userId !== null && { user_id: userId }),
    ...(clientId !== null && { client_id: clientId }),
    ...(ip !== null && { ip }),
    ...(reason !== null && { details: { reason } }),
  };
}

type Session = {
  readonly uid?: string;
  readonly accountId?: string;
  readonly loginTs?: number;
  readonly iat?: number;
  readonly exp?: number;
  readonly authorizations?: Readonly<Record<string, unknown>>;
};

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Returns the sort key of a session in its list: the newest sign-in is the greatest. */
const sessionSortKey = ({ loginTs = 0, uid = '' }: Session): string =>
  `${String(loginTs).padStart(12, '0')}.${uid}`;

type Part = { readonly from?: string | undefined; readonly take: number };

/**
 * Returns the sessions that have not expired, the newest sign-in first; `next`, when there are more, is the `from` of
 * the next page. `id` is the public name of a session; its cookie is not included.
 */
export function toSessionList(
  payloads: readonly StoredPayload[],
  { from, take }: Part = { take: payloads.length },
): { readonly sessions: readonly object[]; readonly next?: string } {
  const now = Math.floor(Date.now() / 1000);
  const rest = (payloads as readonly Session[])
    .filter((session) => (session.exp ?? 0) > now && (!from || sessionSortKey(session) < from))
    .toSorted((a, b) => (sessionSortKey(a) < sessionSortKey(b) ? 1 : -1));
  const part = rest.slice(0, take);
  const last = part.at(-1);
  const sessions = part.map(
    ({ uid, accountId, loginTs = 0, iat = loginTs, exp = 0, authorizations = {} }) => ({
      id: uid,
      user_id: accountId,
      created_at: isoOf(loginTs),
      authenticated_at: isoOf(loginTs),
      updated_at: isoOf(iat),
      expires_at: isoOf(exp),
      clients: Object.keys(authorizations)
        .toSorted()
        .map((client_id) => ({ client_id })),
    }),
  );
  return { sessions, ...(last && rest.length > take && { next: sessionSortKey(last) }) };
}
