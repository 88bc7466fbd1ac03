import type { Effect, FlowEvent, FlowState } from '#domain/flow/state.ts';
import type { Entrance } from '#domain/role-routing.ts';
import type { ScreenName } from '#domain/screens.ts';
import type { Boot } from '../../boot.ts';
import type { Api } from '../../lib/api.ts';
import type { authenticate, checkSession } from '../../lib/identity-client.ts';

/** What the effects work with; a test hands in its own. */
export type Deps = {
  readonly api: Api;
  readonly settings: Boot['settings'];
  readonly identity: {
    readonly authenticate: typeof authenticate;
    readonly checkSession: typeof checkSession;
  };
  readonly subtenantId: () => number;
  /** The handle of another application's request, when this tab is about one. */
  readonly request: () => string | null;
  readonly show: (screen: ScreenName, entrance: Entrance | undefined) => Promise<void>;
  readonly restart: (
    fallback: 'signIn' | 'signUp',
    entrance: Entrance | undefined,
  ) => Promise<void>;
  readonly leave: (url: string) => void;
  readonly now: () => number;
};

type Kind = Effect['do'];
type Of<K extends Kind> = Extract<Effect, { do: K }>;

/** One function per effect; `null` when there is no event to report. */
export type Handlers<K extends Kind> = {
  readonly [Key in K]: (effect: Of<Key>, state: FlowState) => Promise<FlowEvent | null>;
};
