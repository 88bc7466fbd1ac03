import type { EntryPoint } from '#domain/role-routing.ts';
import { pathOf, INTERACTION_QUERY, SCREENS, type ScreenName } from '#domain/screens.ts';
import { EMPTY_VISIT, screenFor } from '#domain/visit.ts';
import type { Api } from '../lib/api.ts';
import { flow as t } from '#locales/en/flow.ts';
import { announce } from '../ui/live-region.tsx';
import type { Flow } from './flow.ts';
import { historyStateOf } from './history-state.ts';
import type { Navigation } from './navigation.ts';
import type { AppContextValue } from './app-context.ts';
import { placeOf, withCarriedQuery } from './view.ts';

/** The query that names the OAuth client's interaction of this tab, if any. */
export function interactionQuery(search: string): { readonly request?: string } {
  const request = new URLSearchParams(search).get(INTERACTION_QUERY);
  return request ? { request } : {};
}

export type Steps = {
  /** Shows the screen that an effect asks for; the flow already has its state. */
  readonly show: (screen: ScreenName, entryPoint: EntryPoint | undefined) => Promise<void>;
  /** Asks the server for the visit and shows its screen: after Back, Forward, or a page from the browser's cache. */
  readonly reopen: () => Promise<void>;
  /** The same after the server closed the step. A visit without any step starts again at the fallback, and is told why. */
  readonly restart: (fallback: Lost['fallback'], entryPoint: Lost['entryPoint']) => Promise<void>;
};

type Lost = {
  readonly fallback: 'signIn' | 'signUp';
  readonly entryPoint: EntryPoint | undefined;
};

type Deps = {
  readonly navigation: Navigation;
  readonly flow: Flow;
  readonly api: Api;
  readonly flashMessage: AppContextValue['flashMessage'];
  readonly subtenantId: () => number;
};

/** The steps of a journey, with their entries in the browser's history. */
export function createSteps({ navigation, flow, api, flashMessage, subtenantId }: Deps): Steps {
  const { current, arrive, open } = navigation;
  let latest = 0;

  return {
    show(screen, entryPoint) {
      const { search, visit, screen: from } = current();
      const target = withCarriedQuery(pathOf(screen, entryPoint), search);
      // Back must not lead to a step that is done.
      const isStep = SCREENS[from].needs !== 'nothing';
      return arrive(target, screen === 'signIn' ? EMPTY_VISIT : visit, () => {
        const state = historyStateOf(flow.get(), subtenantId());
        history[isStep ? 'replaceState' : 'pushState'](state, '', target);
        scrollTo(0, 0);
        if (screen === 'signIn') open(screen, entryPoint ?? 'portal', EMPTY_VISIT);
      });
    },

    reopen: () => goWhereTheVisitIs(),

    restart: (fallback, entryPoint) => goWhereTheVisitIs({ fallback, entryPoint }),
  };

  async function goWhereTheVisitIs(lost?: Lost): Promise<void> {
    const href = location.pathname + location.search;
    const place = placeOf(href);
    latest += 1;
    const mine = latest;
    const result = await api.call('getVisit', { query: interactionQuery(location.search) });
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
    const entryPoint = lost?.entryPoint ?? place.entryPoint;
    const isThere = screen === place.screen;
    const target = isThere ? href : withCarriedQuery(pathOf(screen, entryPoint), place.search);
    if (isAtNothing) tellWhy();
    await arrive(target, visit, () => {
      if (!isThere) history.replaceState(null, '', target);
      open(screen, entryPoint, visit);
    });
  }

  /** Shown above the form that the flow starts again with; its address is filled in. */
  function tellWhy(): void {
    flashMessage.set({ notice: t.over });
    announce(t.over);
  }
}
