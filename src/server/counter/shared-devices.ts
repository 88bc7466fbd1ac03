import {
  COUNTER_ASKS_MS,
  COUNTER_LONGEST_MS,
  COUNTER_UNTIMED_MS,
  type CounterTime,
  maySwitch,
  needsOwnDevice,
  type SharedUse,
} from '#domain/shared-devices.ts';
import type { ScreenName } from '#domain/screens.ts';
import type { Login } from '#domain/visit.ts';
import {
  bindVisit,
  clearDevice,
  type ClearedBy,
  clearOverdue,
  findDevice,
  recordUse,
  type SharedDevice,
  switchOff,
  switchOn,
} from '../administration/shared-devices.ts';
import { displayOf } from '../ssr/display-cookie.ts';
import type { ServerContext } from '../context.ts';
import type { Visit } from '../http/visit-cookie.ts';

export type SharedDevices = {
  /** Returns the shared device of a request; `null` for an ordinary browser. */
  find(cookieHeader: string | undefined): Promise<SharedDevice | null>;
  isShared(cookieHeader: string | undefined): Promise<boolean>;
  /** Where a shared device differs for the screens. */
  readonly use: SharedUse;
  /** Returns the screen in place of one that this browser, or this person, does not get. */
  screenFor(
    screen: ScreenName,
    device: Pick<SharedDevice, 'started_at'> | null,
    login: Pick<Login, 'roles'> | null,
  ): ScreenName;
  /** Records a page that was opened, a key or a press; starts the use of a new person. */
  recordUse(device: SharedDevice, cookieHeader: string | undefined): Promise<SharedDevice | null>;
  /** Records that a page was opened, and returns the device; `null` for an ordinary browser. */
  opened(cookieHeader: string | undefined, screen: ScreenName): Promise<SharedDevice | null>;
  /** Ends the use if its time is over. @returns whether it was over */
  clearIfDue(device: SharedDevice): Promise<boolean>;
  clear(device: SharedDevice, by: ClearedBy): Promise<void>;
  /** Returns what the clock of the bar shows. */
  timeOf(device: SharedDevice, cookieHeader: string | undefined): CounterTime;
  clearOverdue(): Promise<void>;
  bind(device: SharedDevice, visit: Visit): Promise<void>;
  /** Makes the browser of a visit a shared device. @returns its Set-Cookie lines */
  switchOn(
    by: { readonly id: number; readonly subtenantId: number },
    name: string,
    visit: Visit,
    cookieHeader: string | undefined,
  ): Promise<readonly string[]>;
  /** Makes a shared device an ordinary browser. @returns its Set-Cookie lines */
  switchOff(device: SharedDevice, cookieHeader: string | undefined): Promise<readonly string[]>;
  /** Returns the headers that leave nothing of a person in the browser: storage and cookies, but the device's own. */
  wiping(cookieHeader: string | undefined): {
    readonly 'clear-site-data': string;
    readonly 'set-cookie': string[];
  };
};

/** Seconds, the maximum of browsers (RFC 6265bis: 400 days). */
const LIFE_SECONDS = 400 * 24 * 60 * 60;

const wishes = (cookieHeader: string | undefined) => ({ isUntimed: isUntimed(cookieHeader) });
const isUntimed = (cookieHeader: string | undefined) => displayOf(cookieHeader).untimed === 'on';

/** Creates the reader and switch of shared devices: a cookie of random bits, of which only the hash is stored. */
export function createSharedDevices(context: ServerContext, use: SharedUse): SharedDevices {
  const { db, clock, config, outbox } = context;
  const isHttps = config.publicUrl.startsWith('https://');
  const name = isHttps ? '__Host-shared' : 'shared';
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`);
  // At a tenant only the browser itself can end its session.
  const isOn = config.tenant === null;
  const end = isHttps ? '; Secure' : '';

  const line = (token: string, seconds: number) =>
    `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${end}`;

  async function find(cookieHeader: string | undefined): Promise<SharedDevice | null> {
    const [, token] = pattern.exec(cookieHeader ?? '') ?? [];
    return token === undefined ? null : findDevice(db, token);
  }

  function wiped(cookieHeader = ''): string[] {
    const names = cookieHeader.split(/;\s*/).map((pair) => pair.split('=', 1)[0] ?? '');
    return [...new Set(names)]
      .filter((each) => /^[\w.-]+$/.test(each) && each !== name)
      .map((each) => `${each}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT${end}`);
  }

  async function clear(device: SharedDevice, by: ClearedBy): Promise<void> {
    await clearDevice(context, device, by);
    outbox.wake();
  }

  return {
    use,
    find,
    screenFor(screen, device, login) {
      if (screen === 'sharedDevice') return isOn && maySwitch(login) ? screen : 'notFound';
      if (screen === 'counterNext') return device?.started_at === null ? screen : 'signIn';
      return device && needsOwnDevice(screen) ? 'ownDevice' : screen;
    },
    wiping: (cookieHeader) => ({
      'clear-site-data': '"storage"',
      'set-cookie': wiped(cookieHeader),
    }),
    clear,
    isShared: async (cookieHeader) => (await find(cookieHeader)) !== null,

    recordUse: (device, cookieHeader) => recordUse(context, device, wishes(cookieHeader)),

    timeOf({ started_at, clears_at }, cookieHeader) {
      const now = clock.now().getTime();
      const at = clears_at?.getTime() ?? now;
      const canExtend = started_at !== null && at < started_at.getTime() + COUNTER_LONGEST_MS;
      const waits = canExtend && isUntimed(cookieHeader) ? COUNTER_UNTIMED_MS : 0;
      return { remainingMs: Math.max(0, at - now), asksMs: COUNTER_ASKS_MS + waits, canExtend };
    },

    async opened(cookieHeader, screen) {
      const device = await find(cookieHeader);
      // The clean start waits for its next person, who presses Start.
      if (!device || screen === 'counterNext') return device;
      return (await recordUse(context, device, wishes(cookieHeader))) ?? device;
    },

    async clearIfDue(device) {
      if (device.clears_at === null || device.clears_at > clock.now()) return false;
      await clear(device, 'time');
      return true;
    },

    async clearOverdue() {
      if ((await clearOverdue(context)) > 0) outbox.wake();
    },

    bind: (device, { id }) => bindVisit(context, device, id),

    async switchOn(by, deviceName, { id: visitId }, cookieHeader) {
      const token = await switchOn(context, { ...by, visitId }, deviceName);
      outbox.wake();
      return [...wiped(cookieHeader), line(token, LIFE_SECONDS)];
    },

    async switchOff(device, cookieHeader) {
      await switchOff(context, device);
      outbox.wake();
      return [...wiped(cookieHeader), line('', 0)];
    },
  };
}
