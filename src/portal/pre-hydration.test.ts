import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Waking } from '#contract/boot.ts';
import { installPreHydration } from './pre-hydration.ts';

/** The button of a form. Its presses that no listener prevents send the form. */
class FakeButton {
  sent = 0;
  busy: string | undefined;
  readonly value: string;
  constructor(value = '') {
    this.value = value;
  }
  matches = () => true;
  closest = () => ({ setAttribute: (_name: string, busy: string) => (this.busy = busy) });
  click() {
    this.sent += 1;
  }
}

type Listener = (event: object) => void;

type Setting = {
  /** `null`: the browser stores nothing. */
  readonly stored?: Readonly<Record<string, string>> | null;
  readonly state?: unknown;
  readonly scripts?: readonly string[];
  readonly waking?: Waking;
  readonly styleSheet?: 'there' | 'coming' | 'lost';
};

/** A page in which only the source of the script runs, as it does inline. */
function page({
  stored = {},
  state = null,
  scripts = ['/entry.js', '/screen.js'],
  waking = 'whenUsed',
  styleSheet = 'there',
}: Setting = {}) {
  const onWindow = new Map<string, Listener[]>();
  const onDocument = new Map<string, Listener[]>();
  const listenTo =
    (listeners: Map<string, Listener[]>) =>
    (name: string, listener: Listener): void =>
      void listeners.set(name, [...(listeners.get(name) ?? []), listener]);
  const tell = (listeners: Map<string, Listener[]>, name: string, event: object) => {
    for (const listener of listeners.get(name) ?? []) listener(event);
  };
  const dataset: Record<string, string> = {};
  const styled = new Set<string>();
  class FakeLink {
    href = '';
    set onload(then: () => void) {
      if (styleSheet === 'there') then();
    }
    set onerror(then: () => void) {
      if (styleSheet === 'lost') then();
    }
  }
  const accent = { before: ({ href }: FakeLink) => fetched.push(href) };
  const icons = {
    shown: 'drawn',
    replaceWith(all: string) {
      icons.shown = all;
    },
  };
  const requests: FakeRequest[] = [];
  class FakeRequest {
    onload: () => void = () => undefined;
    responseXML: object | null = null;
    open = (_method: string, href: string) => void fetched.push(href);
    send = () => void requests.push(this);
  }
  const timers: (() => void)[] = [];
  const fetched: string[] = [];
  const seen = {
    woken: 0,
    reloads: 0,
    fonts: 0,
    isLoading: Promise.withResolvers<undefined>(),
    isFontLoading: Promise.withResolvers<undefined>(),
  };
  const place = { pathname: '/account/signin', search: '', reload: () => (seen.reloads += 1) };
  const navigator = { onLine: true };
  const window: {
    porchlightHydrated?: boolean;
    porchlightHeldPresses?: readonly FakeButton[];
  } = {};
  const load = () => {
    seen.woken += 1;
    return seen.isLoading.promise;
  };
  const storage = {
    getItem: (key: string) => stored?.[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(stored ?? {}, { [key]: value }),
    removeItem: () => undefined,
  };
  Object.assign(storage, { length: Object.keys(stored ?? {}).length });
  const document = {
    currentScript: { nonce: 'n' },
    documentElement: {
      dataset,
      style: {
        setProperty: (name: string) => styled.add(name),
        removeProperty: (name: string) => styled.delete(name),
      },
    },
    createElement: () => new FakeLink(),
    querySelector: () => null,
    getElementById: (id: string) => ({ icons, accent })[id] ?? null,
    addEventListener: listenTo(onDocument),
    fonts: { add: () => undefined },
  };
  runInNewContext(`(${installPreHydration.toString()})(load, plan)`, {
    load,
    plan: {
      scripts,
      icons: '/icons.svg',
      styleSheet: '/style.css',
      font: '/font.woff2',
      waking,
    },
    XMLHttpRequest: FakeRequest,
    FontFace: class {
      load = () => {
        seen.fonts += 1;
        return seen.isFontLoading.promise;
      };
    },
    window,
    navigator,
    location: place,
    addEventListener: listenTo(onWindow),
    setTimeout: (later: () => void) => timers.push(later),
    requestAnimationFrame: (draw: () => void) => draw(),
    history: { state },
    get localStorage() {
      if (!stored) throw new Error('denied');
      return storage;
    },
    get sessionStorage() {
      if (!stored) throw new Error('denied');
      return { ...storage, length: 0 };
    },
    document,
  });
  /** Presses a button. @returns whether the press is held */
  const click = (button: FakeButton) => {
    const closest = (selector: string) => (selector === '[data-print]' ? null : button);
    let isPrevented = false;
    const preventDefault = () => (isPrevented = true);
    tell(onDocument, 'click', { target: { closest }, preventDefault });
    return isPrevented;
  };
  return {
    dataset,
    styled,
    icons,
    /** What came for icons: no picture, or one. */
    iconsCome(responseXML: object | null) {
      for (const request of requests) Object.assign(request, { responseXML }).onload();
    },
    document,
    window,
    navigator,
    place,
    seen,
    fetched,
    click,
    happens: (name: string, event: object = { target: {} }) => tell(onWindow, name, event),
    isParsed: () => tell(onDocument, 'DOMContentLoaded', {}),
    /** Until a frame is painted, and the browser idle. */
    wait: () => {
      for (const later of timers.splice(0)) later();
      for (const later of timers.splice(0)) later();
    },
  };
}

describe('installPreHydration', () => {
  it('[SCR-02] marks what was achieved, as the entry in the history has it', () => {
    expect(page({ state: { done: 'created' } }).dataset).toEqual({ done: 'created' });
    expect(page({ state: { done: 'activated' } }).dataset).toEqual({});
    expect(page({ state: { otpVerified: true } }).dataset).toEqual({});
    expect(page({ state: 'another script’s' }).dataset).toEqual({});
  });

  it('[PRF-20] shows the typeface when it is there, and does without one that does not come', async () => {
    const { styled, isParsed, wait, seen } = page();
    isParsed();
    wait();
    expect([...styled]).toEqual(['--font-ui']);
    seen.isFontLoading.resolve(undefined);
    await seen.isFontLoading.promise;
    expect([...styled]).toEqual([]);

    const without = page();
    without.isParsed();
    without.wait();
    without.seen.isFontLoading.reject(new Error('no line'));
    await without.seen.isFontLoading.promise.catch(() => undefined);
    expect([...without.styled]).toEqual(['--font-ui']);
  });

  it('[PRF-17] holds presses before hydration, in order, marks their form busy, and holds none after', () => {
    const { window, click } = page();
    const [first, second] = [new FakeButton(), new FakeButton()];
    expect(click(first)).toBe(true);
    expect(click(second)).toBe(true);
    expect(window.porchlightHeldPresses).toEqual([first, second]);
    expect(first.busy).toBe('true');
    expect(first.sent).toBe(0);
    window.porchlightHydrated = true;
    expect(click(first)).toBe(false);
  });

  it('[NOS-07] lets a held press go when a script fails or time goes by, once, and none after hydration', async () => {
    const button = new FakeButton();
    const failing = page();
    failing.happens('click');
    failing.click(button);
    expect(button.sent).toBe(0);
    failing.seen.isLoading.reject(new Error('cut off'));
    await failing.seen.isLoading.promise.catch(() => undefined);
    await Promise.resolve();
    failing.wait();
    expect(button.sent).toBe(1);
    expect(failing.click(button)).toBe(false);

    const slow = new FakeButton();
    const waiting = page();
    waiting.click(slow);
    waiting.wait();
    expect(slow.sent).toBe(1);

    const thrown = new FakeButton();
    const throwing = page();
    throwing.happens('keydown');
    throwing.click(thrown);
    throwing.happens('error');
    expect(thrown.sent).toBe(1);

    const taken = new FakeButton();
    const awake = page();
    awake.click(taken);
    awake.window.porchlightHydrated = true;
    awake.wait();
    awake.happens('unhandledrejection');
    expect(taken.sent).toBe(0);
  });

  it('[PRF-17] keeps a held press while there is no line, and lets it go when there is one', () => {
    const button = new FakeButton();
    const away = page();
    away.click(button);
    away.navigator.onLine = false;
    away.wait();
    expect(button.sent).toBe(0);
    away.navigator.onLine = true;
    away.happens('online');
    expect(button.sent).toBe(1);
  });

  it('[NOS-07] E1: holds no press of Continue, and shows it at once when a script fails', async () => {
    const { click, dataset, happens, seen } = page({ waking: 'atOnce' });
    expect(click(new FakeButton('goOn'))).toBe(false);
    happens('keydown');
    expect(dataset).not.toHaveProperty('broken');
    seen.isLoading.reject(new Error('cut off'));
    await seen.isLoading.promise.catch(() => undefined);
    await Promise.resolve();
    expect(dataset).toHaveProperty('broken');
  });

  it.each([
    'pointerdown',
    'pointermove',
    'keydown',
    'focusin',
    'input',
    'change',
    'click',
    'submit',
    'offline',
  ])('[PRF-16] wakes by %s, once', (sign) => {
    const { seen, fetched, isParsed, happens } = page();
    isParsed();
    expect(seen.woken).toBe(0);
    happens('pointermove', { type: 'pointermove', movementX: 0, movementY: 0 });
    expect(seen.woken).toBe(0);
    happens(sign, { type: sign, movementX: 3, movementY: 0 });
    happens(sign, { type: sign, movementX: 3, movementY: 0 });
    expect(seen.woken).toBe(1);
    expect(fetched).toEqual(['/entry.js', '/screen.js', '/style.css', '/icons.svg']);
  });

  it('[PRF-16] fetches ahead once everything is there and the browser idle, and runs nothing', () => {
    const { seen, fetched, isParsed, happens, wait } = page();
    isParsed();
    wait();
    expect(fetched).toEqual([]);
    happens('load');
    wait();
    expect(fetched).toEqual(['/entry.js', '/screen.js', '/style.css', '/icons.svg']);
    expect(seen.woken).toBe(0);
  });

  it('[PRF-28] asks for nothing before the first paint, and for all of it at a touch', () => {
    const acting = page({ waking: 'atOnce' });
    acting.isParsed();
    acting.happens('load');
    expect([acting.fetched, acting.seen.fonts]).toEqual([[], 0]);
    acting.happens('keydown');
    expect(acting.fetched).toEqual(['/entry.js', '/screen.js', '/style.css', '/icons.svg']);
    acting.wait();
    expect(acting.seen.fonts).toBe(1);
  });

  it('[PRF-21] puts all icons in the place of those drawn, and keeps these when no others come', () => {
    const { icons, happens, iconsCome } = page();
    happens('keydown');
    iconsCome(null);
    expect(icons.shown).toBe('drawn');
    iconsCome({ documentElement: 'all' });
    expect(icons.shown).toBe('all');
  });

  it('[PRF-22] runs no script before all styles are there, and lets a held press go when they do not come', () => {
    const coming = page({ styleSheet: 'coming' });
    coming.happens('keydown');
    expect(coming.seen.woken).toBe(0);
    const button = new FakeButton();
    const lost = page({ styleSheet: 'lost' });
    lost.isParsed();
    lost.happens('load');
    lost.wait();
    lost.click(button);
    expect(button.sent).toBe(0);
    lost.happens('keydown');
    expect(button.sent).toBe(1);
    expect(lost.seen.woken).toBe(0);
  });

  it('[PRF-18] wakes by itself after the paint where the screen acts, or this browser keeps something', () => {
    const settings: readonly Setting[] = [
      { waking: 'atOnce' },
      { stored: { userName: 'ada@example.org' } },
      { state: { done: 'created' } },
    ];
    for (const setting of settings) {
      const { seen, isParsed, wait } = page(setting);
      expect(seen.woken).toBe(0);
      isParsed();
      wait();
      expect(seen.woken).toBe(1);
    }
  });

  it('[PRF-26] a page of text and links fetches nothing before a button is pressed, and then repeats the press', () => {
    const stored = { userName: 'ada@example.org' };
    const { seen, fetched, isParsed, click, happens, wait, window } = page({
      waking: 'whenPressed',
      stored,
    });
    isParsed();
    happens('load');
    for (const sign of ['pointermove', 'keydown', 'focusin', 'offline']) happens(sign);
    happens('click', { target: { closest: () => null } });
    wait();
    expect([seen.woken, fetched]).toEqual([0, []]);
    const button = new FakeButton();
    happens('click', { target: { closest: () => button } });
    expect(click(button)).toBe(true);
    expect(seen.woken).toBe(1);
    expect(window.porchlightHeldPresses).toEqual([button]);
  });

  it('[PRF-18] wakes for a logo that did not load or spells the name, and for no other', () => {
    const logo = (naturalWidth: number, naturalHeight: number) => ({
      target: { tagName: 'IMG', naturalWidth, naturalHeight },
    });
    const cases = [
      ['load', logo(96, 96), 0],
      ['load', logo(300, 96), 1],
      ['error', logo(0, 0), 1],
    ] as const;
    for (const [end, event, woken] of cases) {
      const { seen, happens, wait } = page();
      happens(end, event);
      wait();
      expect(seen.woken).toBe(woken);
    }
  });

  it('[PRF-17] asks for the page anew when the browser shows another step, or an old picture, asleep', () => {
    const { place, seen, window, happens } = page();
    happens('popstate');
    happens('pageshow', { persisted: false });
    expect(seen.reloads).toBe(0);
    happens('pageshow', { persisted: true });
    place.pathname = '/account/verifyOtp';
    happens('popstate');
    expect(seen.reloads).toBe(2);
    window.porchlightHydrated = true;
    happens('popstate');
    expect(seen.reloads).toBe(2);
  });

  it('[NOS-07] F28: without storage no script comes: presses go to the server', () => {
    const { seen, dataset, isParsed, click, happens, wait } = page({
      stored: null,
      waking: 'atOnce',
    });
    isParsed();
    happens('keydown');
    wait();
    expect(seen.woken).toBe(0);
    expect(dataset).toHaveProperty('broken');
    expect(click(new FakeButton())).toBe(false);
  });

  it('[PRF-16] a page that answered a form stays as it is and holds nothing', () => {
    const { seen, isParsed, click, happens, wait } = page({ scripts: [], waking: 'atOnce' });
    isParsed();
    happens('load');
    happens('keydown');
    wait();
    expect(seen.woken).toBe(0);
    expect(click(new FakeButton())).toBe(false);
  });
});
