import type { Effect, FlowState } from '#domain/flow/state.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import type { Boot } from '#contract/boot.ts';
import type { Api } from '../../lib/api.ts';
import type { showToast } from '../../ui/show-toast.ts';
import type { Steps } from '../steps.ts';
import type { authenticate, checkSession } from '../../lib/identity-client.ts';

/** The dependencies of the effect handlers; a test passes its own. */
export type Deps = Omit<Steps, 'reopen'> & {
  readonly api: Api;
  readonly settings: Boot['settings'];
  readonly identity: {
    readonly authenticate: typeof authenticate;
    readonly checkSession: typeof checkSession;
  };
  readonly subtenantId: () => number;
  /** Returns the handle of the OAuth client's interaction in this tab, if any. */
  readonly interaction: () => string | null;
  /** Returns the page to which the sign-in of this tab returns, if any. */
  readonly nextPage: () => string | null;
  /** Returns whether this device can save a key and is asked to; it may have saved one by itself. */
  readonly offersKey: (isForClient: boolean) => Promise<boolean>;
  readonly leave: (url: string) => void;
  readonly toast: typeof showToast;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly userAgent: string;
};

/** One handler for each effect; `null` when it causes no event. */
export type EffectHandlers = {
  readonly [Kind in Effect['do']]: (
    effect: Extract<Effect, { do: Kind }>,
    state: FlowState,
  ) => Promise<FlowEvent | null>;
};

export type SomeHandlers = Partial<EffectHandlers>;
