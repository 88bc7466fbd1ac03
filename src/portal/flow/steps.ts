import type { Entrance } from '#domain/people/role-routing.ts';
import { EXPIRED_QUERY, pathOf, SCREENS, type ScreenName } from '#domain/flow/screens.ts';
import { EMPTY_VISIT, screenFor, type VisitState } from '#domain/flow/visit.ts';
import type { Api } from '../lib/api.ts';
import { flow as t } from '#texts/flow.ts';
import type { Store } from '../lib/store.ts';
import { announce } from '../ui/live-region.tsx';
import { forgetDeadBearer } from './bearer.ts';
import type { Flow } from './flow.ts';
import { historyStateOf, signUpDataOf } from './history-state.ts';
import { keepDraft } from './sign-up-draft.ts';
import type { Navigation } from './navigation.ts';
import { interactionQuery, portalPlace, withCarriedQuery } from './view.ts';

export type Steps = ReturnType<typeof createSteps>;

/** The reason for a return to a form: shown on the next form, kept in memory only. */
export type FlashMessage = Store<{ readonly notice?: string }>;

type Lost = {
  readonly fallback: 'signIn' | 'signUp';
  readonly entrance: Entrance | undefined;
};

export type StepsInput = {
  readonly navigation: Navigation;
  readonly flow: Flow;
  readonly api: Api;
  readonly flashMessage: FlashMessage;
  readonly subtenantId: () => number;
};

/** Creates the steps of a journey, with their entries in the browser's history. */
export function createSteps({ navigation, flow, api, flashMessage, subtenantId }: StepsInput) {
  const { current, arrive, open } = navigation;
  let latest = 0;

  return {
    /** Shows the screen of an effect; the flow already has its state. */
    show(screen: ScreenName, entrance: Entrance | undefined): Promise<void> {
      const { search, visit, screen: from } = current();
      const target = withCarriedQuery(pathOf(screen, entrance), search);
      // Back must not lead to a finished step.
      const isStep = SCREENS[from].needs !== 'nothing';
      return arrive(target, screen === 'signIn' ? EMPTY_VISIT : visit, () => {
        const now = flow.get();
        const typed = now.at === 'otp' ? now.signUpData : null;
        if (typed) keepDraft(typed);
        if (now.at === 'done') keepDraft(null);
        // Back finds the form as it was (WCAG 3.3.7).
        if (typed && from === 'signUp') history.replaceState(signUpDataOf(typed), '');
        const state = historyStateOf(now, subtenantId());
        history[isStep ? 'replaceState' : 'pushState'](state, '', target);
        scrollTo(0, 0);
        if (screen === 'signIn') open(screen, entrance ?? 'portal', EMPTY_VISIT);
      });
    },

    /** Asks the server for the visit and shows its screen: after Back, Forward, or a page from the browser's cache. */
    reopen: () => goWhereTheVisitIs(),

    /**
     * Does the same after the server closed the step. A visit without any step restarts at the fallback, with the
     * reason.
     */
    restart: (fallback: Lost['fallback'], entrance: Lost['entrance']) =>
      goWhereTheVisitIs({ fallback, entrance }),

    /** Goes to sign-in after the session ended; one press continues there when another tab has a session. */
    async signInAgain(entrance: Entrance | undefined): Promise<void> {
      const visit = await askWhere();
      return toSignIn(entrance, visit ?? EMPTY_VISIT);
    },
  };

  /** Returns the visit from the server; offline, as this page knows it; `null` without either. */
  async function askWhere(): Promise<VisitState | null> {
    const result = await api.call('getVisit', { query: interactionQuery(location.search) });
    if (result.kind === 'failed' && result.status === 0) return current().visit;
    if (result.kind !== 'ok') return null;
    forgetDeadBearer(result.data);
    return result.data;
  }

  async function goWhereTheVisitIs(lost?: Lost): Promise<void> {
    const href = location.pathname + location.search;
    const place = portalPlace(href);
    latest += 1;
    const mine = latest;
    const visit = await askWhere();
    // Back was pressed again meanwhile.
    if (mine !== latest) return;
    if (!place || !visit) {
      location.reload();
      return;
    }
    const found = screenFor(place.screen, visit);
    const isSentAway = found === 'signIn' && place.screen !== 'signIn';
    const isAtNothing = lost && found === 'signIn';
    const screen = isAtNothing ? lost.fallback : found;
    const entrance = lost?.entrance ?? place.entrance;
    if (screen === 'signIn' && (isAtNothing || (isSentAway && visit.hasTimedOut))) {
      return toSignIn(entrance, visit);
    }
    const isThere = screen === place.screen;
    const target = isThere ? href : withCarriedQuery(pathOf(screen, entrance), place.search);
    if (isAtNothing) showTimeOut();
    await arrive(target, visit, () => {
      if (!isThere) history.replaceState(null, '', target);
      open(screen, entrance, visit);
    });
  }

  /**
   * Goes to sign-in with the reason: the dialog of a time-out (SIN-04), else text; with a session one press continues.
   */
  async function toSignIn(entrance: Entrance | undefined, visit: VisitState): Promise<void> {
    const path = withCarriedQuery(pathOf('signIn', entrance), current().search);
    const expired = `${path.includes('?') ? '&' : '?'}${EXPIRED_QUERY}=1`;
    const target = visit.hasTimedOut ? path + expired : path;
    if (!visit.login && !visit.hasTimedOut) showTimeOut();
    await arrive(target, visit, () => {
      history.replaceState(null, '', target);
      scrollTo(0, 0);
      open('signIn', entrance ?? 'portal', visit);
    });
  }

  /** Shows the reason above the form that the flow restarts with; its address is filled in. */
  function showTimeOut(): void {
    flashMessage.set({ notice: t.over });
    announce(t.over);
  }
}
