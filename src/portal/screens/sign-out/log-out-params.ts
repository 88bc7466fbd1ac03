import type { Login } from '#domain/visit.ts';

/** For an unknown value: the path needs every part. */
const NONE = '-';

/** The path values of the logout call: from a module's query when it is complete, else from the login on this page. */
export function logOutParams(search: string, login: Login | null) {
  const query = new URLSearchParams(search);
  const [appState, loggedInId, roleId, userId] = ['appState', 'loggenInId', 'roleId', 'userId'].map(
    (name) => query.get(name),
  );
  if (query.get('success') === 'true' && appState && loggedInId && roleId && userId) {
    return { appState, loggedInId, roleId, userId };
  }
  return {
    appState: login?.appState ?? NONE,
    loggedInId: login?.signInId ?? NONE,
    roleId: String(login?.roles[0]?.roleId ?? NONE),
    userId: String(login?.loggedInUserId ?? NONE),
  };
}
