import {
  closedModules,
  COUNTER_ASKS_MS,
  COUNTER_LONGEST_MS,
  COUNTER_UNTIMED_MS,
  type CounterTime,
  maySwitch,
  type SharedUse,
} from '#domain/people/counter-mode.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { MODULE_IDS, type ModuleId } from '#domain/people/roles.ts';
import type { ScreenName } from '#domain/flow/screens.ts';
import type { Login } from '#domain/flow/visit.ts';
import { servedScreen } from '#domain/flow/served-screens.ts';
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
} from './devices.ts';
import { chosenDisplay } from '../ssr/display-cookie.ts';
import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import { addBar, writeBar } from './bar.ts';
import { requestLanguage } from '../http/request-language.ts';
import type { ModuleConfig } from '../config/modules-file.ts';
import type { FullContext } from '../access/context.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Task } from '../core/task.ts';
import { type Cookies, cookiesIn, isToken } from '../core/cookies.ts';

export type SharedDevices = ReturnType<typeof createSharedDevices>;

type BarPage = {
  readonly cookies: Cookies;
  readonly language: Language;
  /** `null`: the page allows no script. */
  readonly nonce: string | null;
};

/** Milliseconds between looks for devices whose time is over, and whose browser no longer asks. */
const CLEAR_EVERY_MS = 15_000;
/** Seconds, the maximum of browsers (RFC 6265bis: 400 days). */
const LIFE_SECONDS = 400 * 24 * 60 * 60;

const wishes = (cookies: Cookies) => ({ isUntimed: isUntimed(cookies) });
const isUntimed = (cookies: Cookies) => chosenDisplay(cookies).untimed === 'on';

/** Creates the reader and switch of shared devices: a cookie of random bits, of which only the hash is stored. */
export function createSharedDevices(context: FullContext, modules: readonly ModuleConfig[]) {
  const { db, clock, config, outbox } = context;
  const closed = closedModules(
    modules.map(({ id, signOutUrl }) => ({
      id,
      // The end takes the cookie of a module that the demo plays itself.
      leavesNothing: signOutUrl !== null || !config.modules.some((each) => each.id === id),
    })),
  );
  const isHttps = config.publicUrl.startsWith('https://');
  const name = isHttps ? '__Host-shared' : 'shared';
  // At a tenant only the browser itself can end its session.
  const isOn = config.tenant === null;
  const end = isHttps ? '; Secure' : '';

  // The modules that a demo plays itself have theirs on this origin.
  const demo =
    config.mode === 'demo'
      ? [...MODULE_IDS, 'relying-party'].map((id) => [`demo-${id}`, '/demo'] as const)
      : [];

  const line = (token: string, seconds: number) =>
    `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${end}`;

  /** Returns the shared device of a request; `null` for an ordinary browser. */
  async function find(cookies: Cookies): Promise<SharedDevice | null> {
    const { [name]: token = '' } = cookies;
    return isToken(token) ? findDevice(db, token) : null;
  }

  function wiped(cookies: Cookies): string[] {
    const own = Object.keys(cookies).filter((each) => /^[\w.-]+$/.test(each) && each !== name);
    return [...own.map((each) => [each, '/'] as const), ...demo].map(
      ([each, path]) => `${each}=; Path=${path}; Expires=Thu, 01 Jan 1970 00:00:00 GMT${end}`,
    );
  }

  /** Returns what the clock of the bar shows. */
  function timeOf({ started_at, clears_at }: SharedDevice, cookies: Cookies): CounterTime {
    const now = clock.now().getTime();
    const at = clears_at?.getTime() ?? now;
    const canExtend = started_at !== null && at < started_at.getTime() + COUNTER_LONGEST_MS;
    const waits = canExtend && isUntimed(cookies) ? COUNTER_UNTIMED_MS : 0;
    return { remainingMs: Math.max(0, at - now), asksMs: COUNTER_ASKS_MS + waits, canExtend };
  }

  /** Puts the bar into a finished page of a shared device, and returns every other page as it is. */
  async function withBar(html: string, { cookies, language, nonce }: BarPage): Promise<string> {
    const device = await find(cookies);
    if (!device?.started_at) return html;
    return addBar(html, writeBar(timeOf(device, cookies), language, nonce));
  }

  async function clear(device: SharedDevice, by: ClearedBy): Promise<void> {
    await clearDevice(context, device, by);
    outbox.wake();
  }

  const isShared = async (cookies: Cookies): Promise<boolean> => (await find(cookies)) !== null;

  return {
    isShared,
    /** Returns the modules that this browser does not get. */
    closedModulesFor: async (cookies: Cookies): Promise<readonly ModuleId[]> =>
      (await isShared(cookies)) ? closed : [],
    /** Returns where a shared device differs for the screens. */
    useIn(language: Language): SharedUse {
      const { counterBar: t } = textsIn(language);
      const soon = { title: t.soonTitle, text: t.soonText };
      const panel = { title: t.panelTitle, text: t.panelText, soon };
      return { closedModules: closed, lead: t.lead, panel };
    },

    withBar,
    /** Does the same for a plain page, which allows no script. */
    async finishPlain(
      html: string,
      request: { readonly headers: IncomingHttpHeaders },
    ): Promise<string> {
      if (!html.includes('href="/plain.css"') || html.includes('id="counter"')) return html;
      const cookies = cookiesIn(request.headers.cookie);
      return withBar(html, { cookies, language: requestLanguage(request), nonce: null });
    },

    find,
    timeOf,
    /** Returns the screen in place of one that this browser, or this person, does not get. */
    screenFor(
      screen: ScreenName,
      device: Pick<SharedDevice, 'started_at'> | null,
      login: Pick<Login, 'roles'> | null,
    ): ScreenName {
      if (screen === 'sharedDevice')
        return isOn && maySwitch(login?.roles.map(({ roleId }) => roleId) ?? [])
          ? screen
          : 'notFound';
      if (screen === 'counterNext') return device?.started_at === null ? screen : 'signIn';
      return device && servedScreen(screen).needsOwnDevice ? 'ownDevice' : screen;
    },
    /** Returns the headers that leave nothing of a person in the browser: storage and cookies, but the device's own. */
    wiping: (cookies: Cookies) => ({
      'clear-site-data': '"storage"',
      'set-cookie': wiped(cookies),
    }),
    clear,
    /** Records a page that was opened, a key or a press; starts the use of a new person. */
    recordUse: (device: SharedDevice, cookies: Cookies): Promise<SharedDevice | null> =>
      recordUse(context, device, wishes(cookies)),

    /** Records that a page was opened, and returns the device; `null` for an ordinary browser. */
    async opened(cookies: Cookies, screen: ScreenName): Promise<SharedDevice | null> {
      const device = await find(cookies);
      // The clean start waits for its next person, who presses Start.
      if (!device || screen === 'counterNext') return device;
      return (await recordUse(context, device, wishes(cookies))) ?? device;
    },

    /** Ends the use if its time is over. @returns whether it was over */
    async clearIfDue(device: SharedDevice): Promise<boolean> {
      if (device.clears_at === null || device.clears_at > clock.now()) return false;
      await clear(device, 'time');
      return true;
    },

    async clearOverdue(signal?: AbortSignal): Promise<void> {
      await clearOverdue(context, signal).finally(outbox.wake);
    },

    bind: (device: SharedDevice, { id }: Visit): Promise<void> => bindVisit(context, device, id),

    /** Makes the browser of a visit a shared device. @returns its Set-Cookie lines */
    async switchOn(
      by: { readonly id: number; readonly subtenantId: number },
      deviceName: string,
      { id: visitId }: Visit,
      cookies: Cookies,
    ): Promise<readonly string[]> {
      const token = await switchOn(context, { ...by, visitId }, deviceName);
      outbox.wake();
      return [...wiped(cookies), line(token, LIFE_SECONDS)];
    },

    /** Makes a shared device an ordinary browser. @returns its Set-Cookie lines */
    async switchOff(device: SharedDevice, cookies: Cookies): Promise<readonly string[]> {
      await switchOff(context, device);
      outbox.wake();
      return [...wiped(cookies), line('', 0)];
    },
  };
}

/** Clears the devices whose time is over. */
export const clearings = ({ clearOverdue: run }: SharedDevices): Task => ({
  everyMs: CLEAR_EVERY_MS,
  firstAfterMs: CLEAR_EVERY_MS,
  run,
  failed: 'shared devices will be cleared later',
  level: 'error',
});
