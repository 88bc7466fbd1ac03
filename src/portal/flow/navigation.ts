import { stateFor } from '#domain/flow/opening.ts';
import type { Entrance } from '#domain/role-routing.ts';
import { pathOf, SCREENS, type ScreenName } from '#domain/screens.ts';
import { EMPTY_VISIT, screenFor, type VisitState } from '#domain/visit.ts';
import type { Api } from '../lib/api.ts';
import { recall } from '../lib/storage.ts';
import type { Store } from '../lib/store.ts';
import type { Flow } from './flow.ts';
import { historyStateOf } from './history-state.ts';
import { placeOf, type ScreenModule, type View, withSubtenant } from './view.ts';

export type Navigation = {
  /** Follows a link of ours. @returns false when the browser should follow it itself. */
  readonly go: (href: string) => boolean;
  /** Shows the screen that the flow asks for; its state is the flow's already. */
  readonly show: (screen: ScreenName, entrance: Entrance | undefined) => Promise<void>;
  /** Draws the address bar's screen from what the server knows: Back, Forward, a page out of the browser's cache. */
  readonly reopen: () => Promise<void>;
  /** Sets off what the state on show waits for. */
  readonly wake: () => void;
  /** Fetches a screen's code ahead, on hover or focus of a link. */
  readonly preload: (href: string) => void;
};

type Deps = {
  readonly view: Store<View>;
  readonly flow: Flow;
  readonly api: Api;
  readonly load: (screen: ScreenName) => Promise<ScreenModule>;
  readonly subtenantId: () => number;
  readonly now: () => number;
};

export function createNavigation({ view, flow, api, load, subtenantId, now }: Deps): Navigation {
  let latest = 0;

  /** Puts a screen on show once its code is there, unless the visitor has gone elsewhere meanwhile. */
  async function arrive(href: string, visit: VisitState, change: () => void): Promise<void> {
    const place = placeOf(href);
    latest += 1;
    const mine = latest;
    const module = place && (await load(place.screen).catch(() => null));
    if (mine !== latest) return;
    if (!place || !module) {
      // Without its code the screen can still come whole, from the server.
      location.assign(href);
      return;
    }
    change();
    view.set({ ...place, id: mine, module, visit });
  }

  /** A screen from outside the flow starts in the state that the visit is in. */
  function open(screen: ScreenName, entrance: Entrance, visit: VisitState): void {
    flow.reset(stateFor(screen, entrance, visit, now()));
    wake();
  }

  function wake(): void {
    const state = flow.get();
    if (state.at === 'redirect') void flow.send({ type: 'redirectOpened', ...state });
    // A second tab knows who is signed in, but has no bearer of its own yet: the redirect screen gets one.
    if (state.at === 'switcher' && !recall('AuthToken')) {
      go(pathOf('redirect', state.entrance));
    }
  }

  function go(href: string): boolean {
    const { search, visit } = view.get();
    const target = withSubtenant(href, search);
    const place = placeOf(target);
    if (!place) return false;
    void arrive(target, visit, () => {
      history.pushState(null, '', target);
      scrollTo(0, 0);
      open(place.screen, place.entrance, visit);
    });
    return true;
  }

  return {
    go,
    wake,
    show(screen, entrance) {
      const { search, visit, screen: from } = view.get();
      const target = withSubtenant(pathOf(screen, entrance), search);
      // A step that is done is no place to go back to.
      const isStep = SCREENS[from].needs !== 'nothing';
      return arrive(target, screen === 'signIn' ? EMPTY_VISIT : visit, () => {
        const state = historyStateOf(flow.get(), subtenantId());
        history[isStep ? 'replaceState' : 'pushState'](state, '', target);
        scrollTo(0, 0);
        if (screen === 'signIn') open(screen, entrance ?? 'portal', EMPTY_VISIT);
      });
    },

    async reopen() {
      const href = location.pathname + location.search;
      const place = placeOf(href);
      latest += 1;
      const mine = latest;
      const result = await api.call('getVisit');
      if (mine !== latest) return;
      if (!place || result.kind !== 'ok') return location.reload();
      const visit = result.data;
      const screen = screenFor(place.screen, visit);
      const isThere = screen === place.screen;
      const target = isThere ? href : withSubtenant(pathOf(screen, place.entrance), place.search);
      await arrive(target, visit, () => {
        if (!isThere) history.replaceState(null, '', target);
        open(screen, place.entrance, visit);
      });
    },

    preload(href) {
      const place = placeOf(href);
      // Only a head start: a failure shows when the link is followed.
      if (place) load(place.screen).catch(() => undefined);
    },
  };
}
