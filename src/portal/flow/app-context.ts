import { createContext, useContext, useRef } from 'react';
import { stateFor } from '#domain/flow/initial-state.ts';
import type { FlowState } from '#domain/flow/state.ts';
import type { ScreenName } from '#domain/screens.ts';
import type { Subtenant } from '#domain/subtenants.ts';
import type { Boot } from '../boot.ts';
import { type Api, createApi } from '../lib/api.ts';
import { lazily } from '../lib/lazily.ts';
import { createStore, type Store, useStore } from '../lib/store.ts';
import { createFlow, type Flow } from './flow.ts';
import { createNavigation, type Navigation } from './navigation.ts';
import type { Steps } from './steps.ts';
import type { ScreenModule, View } from './view.ts';

/** All that the screens share. */
export type Portal = Navigation & {
  readonly boot: Boot;
  readonly api: Api;
  readonly flow: Flow;
  readonly view: Store<View>;
  readonly subtenant: Store<Subtenant>;
  /** Fetches the flow's engine ahead. */
  readonly prepare: () => void;
  readonly reopen: Steps['reopen'];
  /** Taken along to the next form, in memory only: why the visitor is there. */
  readonly carried: Store<{ readonly notice?: string }>;
};

type Input = {
  readonly boot: Boot;
  readonly place: Pick<View, 'path' | 'search'>;
  readonly module: ScreenModule;
  readonly load: (screen: ScreenName) => Promise<ScreenModule>;
};

/** Puts the portal together, on the server and in the browser alike: nothing happens before something is sent. */
export function createPortal({ boot, place, module, load }: Input): Portal {
  const now = () => performance.now();
  const { screen, entrance, visit, settings } = boot;
  const api = createApi(settings);
  const subtenant = createStore(boot.subtenant);
  const subtenantId = () => subtenant.get().id;
  const carried: Portal['carried'] = createStore({});
  const view = createStore<View>({ id: 0, screen, entrance, visit, module, ...place });
  const engine = lazily(async () => {
    const { createEngine } = await import('./runner.ts');
    return createEngine({ api, settings, flow, navigation, carried, subtenantId, now });
  });
  // The clock of `performance` starts with the navigation, before the server wrote what is left of a code:
  // counted from there, the page never promises more time than there is.
  const first = stateFor(screen, entrance, visit, 0);
  const flow = createFlow({ first, mover: engine, now });
  const navigation = createNavigation({ view, flow, load, now });
  return {
    boot,
    api,
    flow,
    view,
    subtenant,
    carried,
    ...navigation,
    // Only a head start: a failure shows when something is sent.
    prepare: () => void engine().catch(() => undefined),
    // Without the engine the server draws the screen as well.
    reopen: () =>
      engine().then(
        ({ reopen }) => reopen(),
        () => location.reload(),
      ),
  };
}

export const PortalContext = createContext<Portal | null>(null);

export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('A screen stands outside the portal');
  return portal;
}

export function useView(): View {
  return useStore(usePortal().view);
}

export function useSubtenant(): Subtenant {
  return useStore(usePortal().subtenant);
}

type StateAt<At extends FlowState['at']> = Extract<FlowState, { at: At }>;

/** The flow's state at a step. While the next screen is on its way, this one goes on showing its last. */
export function useFlowAt<At extends FlowState['at']>(at: At): StateAt<At> | null {
  const state = useStore(usePortal().flow);
  const last = useRef<StateAt<At> | null>(null);
  if (state.at === at) last.current = state as StateAt<At>;
  return last.current;
}
