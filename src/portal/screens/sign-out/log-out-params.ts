/** For unknown values: the path needs every part. */
export const NOBODY = { appState: '-', loggedInId: '-', roleId: '-', userId: '-' };

/** Returns the path values of the logout call, from a module's query; `null` unless it is complete (SCR-01). */
export function logOutParams(search: string) {
  const query = new URLSearchParams(search);
  const [appState, loggedInId, roleId, userId] = ['appState', 'loggenInId', 'roleId', 'userId'].map(
    (name) => query.get(name),
  );
  if (query.get('success') === 'true' && appState && loggedInId && roleId && userId) {
    return { appState, loggedInId, roleId, userId };
  }
  return null;
}
