import { next } from '#domain/flow.ts';
import type { Api } from '../lib/api.ts';
import { withCaptcha } from '../lib/captcha.ts';
import { authenticate, checkSession } from '../lib/identity-client.ts';
import type { Boot } from '../boot.ts';
import { createPerform } from './effects/run-effect.ts';
import type { Flow, Mover } from './flow.ts';
import type { Navigation } from './navigation.ts';
import type { Portal } from './app-context.ts';
import { createSteps, requestQuery, type Steps } from './steps.ts';

export type Engine = Mover & Pick<Steps, 'reopen'>;

type Deps = {
  readonly api: Api;
  readonly settings: Boot['settings'];
  readonly flow: Flow;
  readonly navigation: Navigation;
  readonly carried: Portal['carried'];
  readonly subtenantId: () => number;
  readonly now: () => number;
};

/** All that moves the flow, as one chunk: it comes when somebody begins to do something. */
export function createEngine(deps: Deps): Engine {
  const { show, restart, reopen } = createSteps(deps);
  const perform = createPerform({
    ...deps,
    api: withCaptcha(deps.api),
    show,
    restart,
    request: () => requestQuery(deps.navigation.current().search).request ?? null,
    leave: (url) => location.replace(url),
    identity: { authenticate, checkSession },
  });
  return { next, perform, reopen };
}
