import type { Entrance } from '#domain/role-routing.ts';
import { pathOf, REQUEST_QUERY, SCREENS, type ScreenName } from '#domain/screens.ts';
import { EMPTY_VISIT, screenFor } from '#domain/visit.ts';
import type { Api } from '../lib/api.ts';
import { flow as texts } from '#locales/en/flow.ts';
import { announce } from '../ui/live-region.tsx';
import type { Flow } from './flow.ts';
import { historyStateOf } from './history-state.ts';
import type { Navigation } from './navigation.ts';
import type { Portal } from './app-context.ts';
import { placeOf, withCarried } from './view.ts';

/** Which application's request this tab is about, if any. */
export function requestQuery(search: string): { readonly request?: string } {
  const request = new URLSearchParams(search).get(REQUEST_QUERY);
  return request ? { request } : {};
}

export type Steps = {
  /** Shows the screen that the flow asks for; its state is the flow's already. */
  readonly show: (screen: ScreenName, entrance: Entrance | undefined) => Promise<void>;
  /** Draws the address bar's screen from what the server knows: Back, Forward, a page out of the browser's cache. */
  readonly reopen: () => Promise<void>;
  /** The same for a step that was lost; a visit that is at nothing begins anew at the fallback, and is told why. */
  readonly restart: (fallback: Lost['fallback'], entrance: Lost['entrance']) => Promise<void>;
};

type Lost = {
  readonly fallback: 'signIn' | 'signUp';
  readonly entrance: Entrance | undefined;
};

type Deps = {
  readonly navigation: Navigation;
  readonly flow: Flow;
  readonly api: Api;
  readonly carried: Portal['carried'];
  readonly subtenantId: () => number;
};

/** The steps of a journey, as the browser's history sees them. */
export function createSteps({ navigation, flow, api, carried, subtenantId }: Deps): Steps {
  const { current, arrive, open } = navigation;
  let latest = 0;

  return {
    show(screen, entrance) {
      const { search, visit, screen: from } = current();
      const target = withCarried(pathOf(screen, entrance), search);
      // A step that is done is no place to go back to.
      const isStep = SCREENS[from].needs !== 'nothing';
      return arrive(target, screen === 'signIn' ? EMPTY_VISIT : visit, () => {
        const state = historyStateOf(flow.get(), subtenantId());
        history[isStep ? 'replaceState' : 'pushState'](state, '', target);
        scrollTo(0, 0);
        if (screen === 'signIn') open(screen, entrance ?? 'portal', EMPTY_VISIT);
      });
    },

    reopen: () => goWhereTheVisitIs(),

    restart: (fallback, entrance) => goWhereTheVisitIs({ fallback, entrance }),
  };

  async function goWhereTheVisitIs(lost?: Lost): Promise<void> {
    const href = location.pathname + location.search;
    const place = placeOf(href);
    latest += 1;
    const mine = latest;
    const result = await api.call('getVisit', { query: requestQuery(location.search) });
    // Back was pressed again meanwhile.
    if (mine !== latest) return;
    if (!place || result.kind !== 'ok') {
      location.reload();
      return;
    }
    const visit = result.data;
    const found = screenFor(place.screen, visit);
    const isAtNothing = lost && found === 'signIn';
    const screen = isAtNothing ? lost.fallback : found;
    const entrance = lost?.entrance ?? place.entrance;
    const isThere = screen === place.screen;
    const target = isThere ? href : withCarried(pathOf(screen, entrance), place.search);
    if (isAtNothing) tellWhy();
    await arrive(target, visit, () => {
      if (!isThere) history.replaceState(null, '', target);
      open(screen, entrance, visit);
    });
  }

  /** Stands above the form that the flow begins anew with; the address is in it already. */
  function tellWhy(): void {
    carried.set({ notice: texts.over });
    announce(texts.over);
  }
}
