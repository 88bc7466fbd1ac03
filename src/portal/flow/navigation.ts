import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { Door } from '#domain/looks/door.ts';
import { screenDoor } from '#domain/looks/porch-door.ts';
import { stateFor } from '#domain/flow/initial-state.ts';
import type { FlowState } from '#domain/flow/state.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import type { VisitState } from '#domain/flow/visit.ts';
import { ScriptMissing } from '../lib/lazily.ts';
import { offerContinue } from '../lib/native-form.ts';
import { getItem } from '../lib/storage.ts';
import type { Store } from '../lib/store.ts';
import { wantsStillness } from '../ui/preferences.ts';
import { dismissToast } from '../ui/toast.ts';
import type { Flow } from './flow.ts';
import { portalPlace, type ScreenModule, type View, withCarriedQuery } from './view.ts';

type Going = {
  /** For the browser's history entry. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Called when the screen is shown. */
  readonly onShown?: () => void;
};

export type Navigation = ReturnType<typeof createNavigation>;

type Deps = {
  readonly view: Store<View>;
  readonly door: Store<Door>;
  readonly flow: Flow;
  readonly load: (screen: ScreenName) => Promise<ScreenModule>;
  readonly now: () => number;
};

/** Returns whether the code was right, and an app is next. */
export const isVerified = (state: FlowState) => state.at === 'redirect' && state.isOtpVerified;

/**
 * Changes the page with a view transition of the porch (decision 081). With reduced motion, and without support, it
 * changes at once.
 * @returns resolves when the page has changed; the transition may still run
 */
function carryOver(change: () => void): void | Promise<void> {
  if (!('startViewTransition' in document) || wantsStillness()) return change();
  // Asynchronous, because React renders at the end of this task: the new snapshot is taken after that.
  const transition = document.startViewTransition(async () => change());
  // In a hidden tab, or for the next transition, this one is skipped; the page has still changed.
  transition.ready.catch(() => undefined);
  return transition.updateCallbackDone;
}

/** Creates client-side navigation, from screen to screen without a page load. */
export function createNavigation({ view, door, flow, load, now }: Deps) {
  let latest = 0;

  /** Shows a screen once its chunk has loaded; calls `change` just before. */
  async function arrive(href: string, visit: VisitState, change: () => void): Promise<void> {
    const place = portalPlace(href);
    latest += 1;
    const mine = latest;
    const module = place && (await load(place.screen).catch(() => null));
    // A later navigation has replaced this one.
    if (mine !== latest) return;
    if (!place || !module) {
      // The session does not exist yet, and the form still has the password: the form is sent to the server.
      const state = flow.get();
      if (state.at === 'redirect' && state.loginTicket) throw new ScriptMissing('No next screen');
      // The chunk did not load: the server renders the page instead. Only one of the two may send a code.
      flow.reset(state);
      location.assign(href);
      return;
    }
    await carryOver(() => {
      dismissToast();
      change();
      door.set(screenDoor(place.screen, isVerified(flow.get())));
      view.set({ ...place, id: mine, module, visit });
    });
  }

  /** Resets the flow to the visit's state for this screen. */
  function open(screen: ScreenName, entrance: Entrance, visit: VisitState): void {
    flow.reset(stateFor(screen, entrance, visit, now()));
    resume();
  }

  /** Starts the work that the current state waits for: the redirect's checks, a bearer for a second tab. */
  function resume(): void {
    const state = flow.get();
    if (state.at === 'redirect')
      flow.send({ type: 'redirectOpened', ...state }).catch(offerContinue);
    // A second tab knows the person, but has no bearer of its own yet: the redirect screen gets one.
    if (state.at === 'selectRole' && !getItem('AuthToken')) go(pathOf('redirect', state.entrance));
  }

  /**
   * Follows a link inside the portal.
   * @returns false when the browser should follow it itself
   */
  function go(href: string, { state, onShown }: Going = {}): boolean {
    const { search, visit } = view.get();
    const target = withCarriedQuery(href, search);
    const place = portalPlace(target);
    if (!place) return false;
    void arrive(target, visit, () => {
      history.pushState(state ?? null, '', target);
      scrollTo(0, 0);
      open(place.screen, place.entrance, visit);
    }).then(onShown);
    return true;
  }

  return {
    current: view.get,
    go,
    arrive,
    open,
    resume,
    /** Preloads a screen's chunk, on hover or focus of a link. */
    preload(href: string): void {
      const place = portalPlace(href);
      // A failure appears when the link is followed.
      if (place) load(place.screen).catch(() => undefined);
    },
  };
}
