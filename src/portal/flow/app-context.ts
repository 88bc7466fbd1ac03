import { type ComponentType, createContext, useContext, useRef } from 'react';
import type { ScreenName } from '#domain/flow/screens.ts';
import type { Door } from '#domain/looks/door.ts';
import { screenDoor } from '#domain/looks/porch-door.ts';
import { stateFor } from '#domain/flow/initial-state.ts';
import type { FlowState } from '#domain/flow/state.ts';
import type { OrganisationButton, Subtenant } from '#domain/people/subtenants.ts';
import type { Boot } from '#contract/boot.ts';
import type { Api } from '../lib/api.ts';
import { lazily } from '../lib/lazily.ts';
import { leave } from '../lib/leave.ts';
import { failedOffline } from '../lib/online.ts';
import { createStore, type Store, useStore } from '../lib/store.ts';
import { createFlow, type Flow } from './flow.ts';
import { createNavigation, isVerified, type Navigation } from './navigation.ts';
import type { FlashMessage, Steps } from './steps.ts';
import type { ScreenModule, View } from './view.ts';

/** The state and services that all screens share through React's context. */
export type AppContextValue = Navigation & {
  readonly boot: Boot;
  readonly api: Api;
  readonly flow: Flow;
  readonly view: Store<View>;
  readonly subtenant: Store<Subtenant>;
  /** The state of the porch's door; only `domain/looks/porch-door.ts` changes it. */
  readonly door: Store<Door>;
  /** Preloads the flow's runner. */
  readonly prepare: () => void;
  readonly reopen: Steps['reopen'];
  /** The portal's own origin. */
  readonly origin: string;
  /** Leaves for another application. */
  readonly leave: (url: string) => void;
  readonly flashMessage: FlashMessage;
};

type Input = {
  readonly boot: Boot;
  readonly place: Pick<View, 'path' | 'search'>;
  readonly module: ScreenModule;
  readonly load: (screen: ScreenName) => Promise<ScreenModule>;
  readonly origin: string;
};

/** Creates a client that loads with the first call. Offline, a call has no answer. */
function createLateApi(settings: Boot['settings']): Api {
  const load = lazily(async () => (await import('../lib/api.ts')).createApi(settings));
  return {
    async call(name, input) {
      const api = await load().catch((error: unknown) => {
        if (failedOffline()) return null;
        throw error;
      });
      if (api) return api.call(name, input);
      return { kind: 'failed', status: 0, errorFlag: null, retryAfterSeconds: null };
    },
  };
}

/** Creates the context, on the server and in the browser alike. No code runs before the first event. */
export function createAppContext({ boot, place, module, load, origin }: Input): AppContextValue {
  const now = () => performance.now();
  const { screen, entrance, visit, settings } = boot;
  const api = createLateApi(settings);
  const subtenant = createStore(boot.subtenant);
  const view = createStore<View>({ id: 0, screen, entrance, visit, module, ...place });
  const flashMessage: FlashMessage = createStore({});
  const loadRunner = lazily(async () => {
    const { createRunner } = await import('./runner.ts');
    const subtenantId = () => subtenant.get().id;
    return createRunner({ api, settings, flow, navigation, view, flashMessage, subtenantId, now });
  });
  // `performance` counts from the navigation, before the server computed the code's remaining time: counted from there,
  // the page never shows more time than there is. The server's own clock started long before.
  const first = stateFor(screen, entrance, visit, import.meta.env.SSR ? now() : 0);
  const door = createStore(screenDoor(screen, isVerified(first)));
  const flow = createFlow({ first, loadRunner, now });
  const navigation = createNavigation({ view, door, flow, load, now });
  return {
    boot,
    api,
    flow,
    view,
    subtenant,
    door,
    flashMessage,
    ...navigation,
    origin,
    leave,
    // A failure appears at the next submit.
    prepare: () => void loadRunner().catch(() => undefined),
    // Without the runner the server renders the screen.
    reopen: () =>
      loadRunner().then(
        ({ reopen }) => reopen(),
        () => location.reload(),
      ),
  };
}

export const AppContext = createContext<AppContextValue | null>(null);

/** Returns the shared context. */
export function useAppContext(): AppContextValue {
  const context = useContext(AppContext);
  if (!context) throw new Error('A screen needs an AppContext around it');
  return context;
}

/** Returns the current view. */
export function useView(): View {
  return useStore(useAppContext().view);
}

/** Returns the current subtenant. */
export function useSubtenant(): Subtenant {
  return useStore(useAppContext().subtenant);
}

/** Returns the state of the porch's door. */
export function useDoor(): Door {
  return useStore(useAppContext().door);
}

type StateAt<At extends FlowState['at']> = Extract<FlowState, { at: At }>;

/** Returns the flow's state at a step; while the next screen loads, the last one of that step. */
export function useFlowAt<At extends FlowState['at']>(at: At): StateAt<At> | null {
  const state = useStore(useAppContext().flow);
  const last = useRef<StateAt<At> | null>(null);
  if (state.at === at) last.current = state as StateAt<At>;
  return last.current;
}

/** The organisations of a subtenant. */
export type OrganisationButtonsProps = {
  readonly of: readonly OrganisationButton[];
  /** The open invitation that a press links by; without it a press signs in. */
  readonly invitation?: string;
};

/**
 * Parts that the browser loads late, and that the server has at once: it cannot wait while it renders.
 * In a file of its own it would be one more script of the browser's, which has no use for it.
 */
export const ServerParts = /* @__PURE__ */ createContext<{
  readonly OrganisationButtons?: ComponentType<OrganisationButtonsProps>;
}>({});
