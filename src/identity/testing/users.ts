import type { UserDirectory } from '../user-directory.ts';

/** For tests that manage nobody. */
export const noUsers: UserDirectory = {
  find: async () => null,
  list: async () => ({ users: [], total: 0 }),
  create: async () => ({ kind: 'invalid' }),
  update: async () => ({ kind: 'unknown' }),
  link: async () => ({ kind: 'unknown' }),
  unlink: async () => ({ kind: 'unknown' }),
  countCall: async () => 0,
};
