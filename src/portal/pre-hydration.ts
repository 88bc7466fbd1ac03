import type { Waking } from '#contract/boot.ts';

declare global {
  interface Window {
    /** True once React handles the page's events. */
    porchlightHydrated?: boolean;
    /** Presses from before that, in order; the app repeats them. Enter in a field presses its form's button. */
    porchlightHeldPresses?: HTMLElement[];
    /** The fields that had the focus or were changed: the page fills in none of them (lib/fill-in.ts). */
    porchlightTouched?: WeakSet<EventTarget>;
  }
}

/** The page's input for the script in its head. */
export type HydrationPlan = {
  /** The screen's scripts, as addresses. None on a page that answered a form: it stays without script. */
  readonly scripts: readonly string[];
  /** Every icon, and every style; the page inlines those of its screen. */
  readonly icons: string;
  readonly styleSheet: string;
  /** The typeface. */
  readonly font: string;
  readonly waking: Waking;
};

/**
 * Runs inline in the head, before the first paint and long before the bundle.
 * Its source is put into the page as text, so it may use nothing from outside itself.
 * - After a reload a page of success shows its earlier message (flow/done-message.tsx).
 * - The typeface is fetched after the first paint and shown when it is there.
 * - The page hydrates on the first interaction (decision 131); its scripts are fetched when the browser is idle. A page
 *   of text and links fetches none before a button is pressed (decision 261).
 * - A press before hydration is held, its form is marked busy, and it is repeated once the page is hydrated (decision
 * 260). When the bundle does not load, throws, or takes too long, it is repeated natively, and the server answers
 * (decision 124).
 * @param load imports the bundle: written into the page, because only the server knows its address
 */
export function installPreHydration(
  load: () => Promise<unknown>,
  { scripts, icons, styleSheet, font, waking }: HydrationPlan,
): void {
  const root = document.documentElement;
  // While a font loads, Chromium asks another process for a substitute of every weight, in the first layout.
  root.style.setProperty('--font-ui', '"Atkinson Fallback",system-ui,sans-serif');
  const nonce = document.currentScript?.nonce ?? '';
  const { done } = (history.state ?? {}) as { readonly done?: unknown };
  if (['created', 'oldPassword', 'passwordSet'].includes(done as string)) {
    root.dataset.done = done as string;
  }

  /** This browser's storage may change the page: an address to fill in, another brand, a step of the history. */
  const isKnownHere = () => {
    try {
      return (
        history.state !== null || (!isStill && localStorage.length + sessionStorage.length > 0)
      );
    } catch {
      return false;
    }
  };

  /** The steps of the app are kept in storage: absent, full or blocked, the forms go to the server as they are. */
  const canStore = () => {
    try {
      sessionStorage.setItem('probe', '1');
      sessionStorage.removeItem('probe');
      return true;
    } catch {
      return false;
    }
  };

  const isStill = waking === 'whenPressed';
  let isBroken = scripts.length === 0;
  let isWaking = isBroken;
  const presses: HTMLElement[] = (window.porchlightHeldPresses = []);
  const isOver = () => isBroken || window.porchlightHydrated;
  const letGo = () => {
    if (isOver()) return;
    // Sent now, the input would be lost.
    if (!navigator.onLine) return addEventListener('online', letGo, { once: true });
    isBroken = true;
    // A page that waits for its scripts shows Continue.
    root.dataset.broken = '';
    for (const pressed of presses) pressed.click();
  };
  const fetchIcons = () => {
    // The one way to read a picture without trusted markup.
    const request = new XMLHttpRequest();
    request.onload = () => {
      const all = request.responseXML?.documentElement;
      if (all) document.getElementById('icons')?.replaceWith(all);
    };
    request.open('GET', icons);
    request.responseType = 'document';
    request.send();
  };
  const addLink = (rel: string, href: string) => {
    const link = document.createElement('link');
    Object.assign(link, { rel, nonce, href });
    // Before the subtenant's colours, which must win.
    document.getElementById('accent')?.before(link);
    return link;
  };
  let styles: 'wanted' | 'coming' | 'there' | 'lost' = 'wanted';
  /** Content that the scripts render has styles of its own. */
  const runStyled = () => {
    if (!isWaking) return;
    if (styles === 'there') load().catch(letGo);
    if (styles === 'lost') letGo();
  };
  const fetchAhead = () => {
    if (isBroken || styles !== 'wanted') return;
    styles = 'coming';
    for (const href of scripts) addLink('modulepreload', href);
    const sheet = addLink('stylesheet', styleSheet);
    const end = (how: 'there' | 'lost') => () => {
      styles = how;
      runStyled();
    };
    sheet.onload = end('there');
    sheet.onerror = end('lost');
    fetchIcons();
  };
  const wake = () => {
    if (isWaking) return;
    const isAble = canStore();
    if (isAble) fetchAhead();
    isWaking = true;
    if (isAble) runStyled();
    else letGo();
  };
  const whenIdle = (act: () => void) =>
    'requestIdleCallback' in window
      ? requestIdleCallback(act, { timeout: 2000 })
      : setTimeout(act, 200);

  // Screen readers and switches focus, click and change without pointer or keys.
  const signs = isStill
    ? 'click'
    : 'pointerdown pointermove keydown focusin input change click submit offline';
  const begin = (event: Event) => {
    const { type, target, movementX, movementY } = event as PointerEvent;
    if (isStill && !(target as Element).closest('button')) return;
    // Browsers also fire this for a still pointer when an element appears under it.
    if (type !== 'pointermove' || movementX || movementY) wake();
  };
  for (const sign of signs.split(' ')) addEventListener(sign, begin, { capture: true });
  const touched = (window.porchlightTouched = new WeakSet());
  const note = ({ target }: Event) => target && touched.add(target);
  for (const sign of ['focusin', 'input']) addEventListener(sign, note, { capture: true });
  // A hidden tab paints nothing.
  const whenPainted = (act: () => void) =>
    document.hidden ? act() : requestAnimationFrame(() => setTimeout(act));
  const bringFont = () => {
    // By script, or the request would carry the page's whole address (decision 145).
    const face = new FontFace('Atkinson Hyperlegible Next', `url(${font})`, { weight: '400 750' });
    face.load().then(
      () => {
        document.fonts.add(face);
        root.style.removeProperty('--font-ui');
      },
      // Without it, the fallback stays.
      () => {},
    );
  };
  document.addEventListener('DOMContentLoaded', () => {
    whenPainted(() => {
      whenIdle(bringFont);
      // Read now: storage waits for another process, and would delay the first paint.
      if (waking === 'atOnce' || isKnownHere()) wake();
    });
    const news = document.querySelector('[aria-roledescription=slide]');
    if (news) {
      // The banner turns only while it is visible.
      new IntersectionObserver(([seen]) => {
        if (seen?.isIntersecting) whenIdle(wake);
      }).observe(news);
    }
  });
  for (const end of ['load', 'error']) {
    addEventListener(
      end,
      ({ target }) => {
        const { tagName, naturalWidth: width, naturalHeight: height } = target as HTMLImageElement;
        // A logo that did not load, or that contains the name, changes the header.
        if (tagName === 'IMG' && (!width || width > 1.6 * height)) whenIdle(wake);
      },
      true,
    );
  }
  if (!isStill) addEventListener('load', () => whenPainted(() => whenIdle(fetchAhead)));

  document.addEventListener(
    'click',
    (event) => {
      const isPrint = (event.target as Element).closest('[data-print]');
      if (isPrint) {
        // In print the card stands below the page.
        document.getElementById('help-card')?.hidePopover?.();
        print();
      }
      if (isOver()) return;
      const pressed = (event.target as Element).closest<HTMLElement>(
        'button[type=button]:not([popovertarget],[data-print]), button[form=action], form[novalidate] [type=submit], [href="#main"]',
      );
      // Continue is for a page whose scripts do not load.
      if (!pressed || (pressed as HTMLButtonElement).value === 'goOn') return;
      event.preventDefault();
      presses.push(pressed);
      if (pressed.matches('[type=submit]')) {
        pressed.closest('form')?.setAttribute('aria-busy', 'true');
      }
      setTimeout(letGo, 8000);
    },
    true,
  );
  // For errors during hydration. `load` reports scripts that did not load.
  for (const fault of ['error', 'unhandledrejection']) {
    addEventListener(fault, () => isWaking && letGo());
  }
  // The browser shows another step, or an old snapshot of this one, and no script is there to render it.
  const place = location.pathname + location.search;
  const renderAgain = (isOld: boolean) => isOld && !window.porchlightHydrated && location.reload();
  addEventListener('popstate', () => renderAgain(place !== location.pathname + location.search));
  addEventListener('pageshow', (event) => renderAgain(event.persisted));
}
