import type { OneTimeCodes, Registrations } from '../ports.ts';
import type { UserDirectory } from '../user-directory.ts';

const noUsers: UserDirectory = {
  find: async () => null,
  list: async () => ({ users: [], total: 0 }),
  create: async () => ({ kind: 'invalid' }),
  update: async () => ({ kind: 'unknown' }),
  link: async () => ({ kind: 'unknown' }),
  unlink: async () => ({ kind: 'unknown' }),
  remove: async () => false,
  endSessions: async () => false,
  endSession: async () => {},
  createTicket: async () => ({ kind: 'unknown' }),
  allEvents: async () => ({ events: [], total: 0 }),
  findEvent: async () => null,
  events: async () => ({ events: [], total: 0 }),
  countCall: async () => 0,
};

const noCodes: OneTimeCodes = {
  usesApp: async () => false,
  sendSecondFactor: async () => ({ kind: 'blocked', retryAfterSeconds: 1 }),
  countStart: async () => 0,
  startPasswordless: async () => undefined,
  verifyContact: async () => ({ kind: 'wrong' }),
  verify: async () => ({ kind: 'wrong' }),
};

const noRegistrations: Registrations = {
  signUp: async () => ({ kind: 'exists' }),
  askReset: async () => 0,
};

/** Ports for tests that use neither the Management API, nor grants without a browser, nor the database connection. */
export const unusedPorts = {
  users: noUsers,
  codes: noCodes,
  registrations: noRegistrations,
  isPasswordGrantOn: false,
  audit: async () => {},
};

/** Half an hour without use, twelve hours in all. */
export const SESSION_LIFE = { idleSeconds: 1800, seconds: 12 * 3600 } as const;
