/** Counter mode: a browser that many people use, one after another (decision 210). */

import type { Choice } from './role-routing.ts';
import { APP_LOGIN_ENTRY, MODULE_IDS, type ModuleId, type RoleId, roleOf } from './roles.ts';
import { MINUTE_MS } from '../text/duration.ts';

/** The roles that switch counter mode on and off. */
export const SHARING_ROLES: readonly RoleId[] = [3, 4, 6, 16];

/** Returns whether an account with these roles may switch counter mode on and off. */
export const maySwitch = (roleIds: readonly number[]): boolean =>
  SHARING_ROLES.some((id) => roleIds.includes(id));

export const DEVICE_NAME_LENGTH = 60;

/** Returns the name of a device as it is stored; `null` for none, and for one that is too long. */
export function checkDeviceName(text: string): string | null {
  const name = text.replace(/\s+/g, ' ').trim();
  return name === '' || name.length > DEVICE_NAME_LENGTH ? null : name;
}

/** Milliseconds without a key or a press after which the device clears itself. */
export const COUNTER_IDLE_MS = 5 * MINUTE_MS;
/** Milliseconds that 'Take your time' adds, once. */
export const COUNTER_UNTIMED_MS = 5 * MINUTE_MS;
/** Milliseconds after which it clears itself all the same. */
export const COUNTER_LONGEST_MS = 30 * MINUTE_MS;
/** Milliseconds before the first of these ends, from which on the bar asks whether the person is still there. */
export const COUNTER_ASKS_MS = MINUTE_MS;

/** The requests of the bar. */
export const COUNTER_PATHS = {
  /** Its form: the person has finished. */
  finished: '/counter/finished',
  /** A key or a press. */
  active: '/counter/active',
  script: '/counter.js',
  style: '/counter.css',
} as const;

/** What the clock of the bar shows. */
export type CounterTime = {
  readonly remainingMs: number;
  /** It asks whether the person is still there when so much is left. */
  readonly asksMs: number;
  /** A key or a press gives more time: the thirty minutes are not over. */
  readonly canExtend: boolean;
};

/** Where a shared device differs from an ordinary browser, for the screens. */
export type SharedUse = {
  /** Modules that cannot be told of a sign-out: not offered there. */
  readonly closedModules: readonly ModuleId[];
  /** What stands below the title of the sign-in. */
  readonly lead: string;
  /** What stands below the porch, in place of the news. */
  readonly panel: {
    readonly title: string;
    readonly text: string;
    /** When the device is about to clear itself. */
    readonly soon: { readonly title: string; readonly text: string };
  };
};

/** Returns the moment at which the device clears itself, after a key or a press now. */
export function counterClearsAt(
  startedAt: Date,
  now: Date,
  { isUntimed }: { readonly isUntimed: boolean },
): Date {
  const idle = COUNTER_IDLE_MS + (isUntimed ? COUNTER_UNTIMED_MS : 0);
  const longest = startedAt.getTime() + COUNTER_LONGEST_MS;
  return new Date(Math.min(now.getTime() + idle, longest));
}

/** Returns whether a choice on the switcher leads to a module that is offered on a shared device. */
export function isOffered(
  { kind, roleId }: Choice,
  { closedModules }: Pick<SharedUse, 'closedModules'>,
): boolean {
  const entry = kind === 'signInOnApp' ? APP_LOGIN_ENTRY : roleOf(roleId).entry;
  return entry === null || !closedModules.includes(entry.module);
}

/** Returns the modules that are not offered on a shared device. `known`: those that are set up. */
export function closedModules(
  known: readonly { readonly id: ModuleId; readonly leavesNothing: boolean }[],
): readonly ModuleId[] {
  return MODULE_IDS.filter((id) => !known.some((one) => one.id === id && one.leavesNothing));
}
