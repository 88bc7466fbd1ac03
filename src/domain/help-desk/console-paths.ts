import { CONSOLE_PATH } from '../flow/screens.ts';

/** The areas of the console, in the order of the bar, each with its word in the address. */
export const AREA_PATHS = {
  house: 'house',
  people: 'people',
  messages: 'messages',
  signIns: 'sign-ins',
  subtenants: 'subtenants',
  invitations: 'invitations',
  promoCodes: 'promo-codes',
  leads: 'leads',
  survey: 'survey',
  organisations: 'organizations',
  clients: 'clients',
  modules: 'modules',
  keys: 'keys',
  limits: 'limits',
  audit: 'audit',
  devices: 'devices',
} as const;
export type ConsoleArea = keyof typeof AREA_PATHS;
export const CONSOLE_AREAS = Object.keys(AREA_PATHS) as readonly ConsoleArea[];

const PATHS = { ...AREA_PATHS, invite: 'invite', more: 'more', signOut: 'sign-out' } as const;

/** Returns the address of a page of the console, with the words below it. The page of people is the first one. */
export const consolePath = (
  page: keyof typeof PATHS,
  ...words: readonly (string | number)[]
): string =>
  page === 'people' && words.length === 0
    ? CONSOLE_PATH
    : [CONSOLE_PATH, PATHS[page], ...words].join('/');
