import { reduce } from '#domain/flow.ts';
import type { Api } from '../lib/api.ts';
import { withCaptcha } from '../lib/captcha.ts';
import { authenticate, checkSession } from '../lib/identity-client.ts';
import { leave } from '../lib/leave.ts';
import type { Boot } from '#contract/boot.ts';
import { createRunEffect } from './effects/run-effect.ts';
import type { Flow, Runner } from './flow.ts';
import type { Navigation } from './navigation.ts';
import { showToast } from '../ui/show-toast.ts';
import type { AppContextValue } from './app-context.ts';
import { createSteps, type Steps } from './steps.ts';
import { interactionQuery, nextPageIn } from './view.ts';

export type AppRunner = Runner & Pick<Steps, 'reopen'>;

type Deps = {
  readonly api: Api;
  readonly settings: Boot['settings'];
  readonly flow: Flow;
  readonly navigation: Navigation;
  readonly flashMessage: AppContextValue['flashMessage'];
  readonly subtenantId: () => number;
  readonly now: () => number;
};

/** Creates the runner, reducer and effect handlers in one chunk, which loads at the first interaction. */
export function createRunner(deps: Deps): AppRunner {
  // Preloaded, so that a screen's toast is there at its first paint.
  import('../ui/toasts.tsx').catch(() => undefined);
  const { show, restart, signInAgain, reopen } = createSteps(deps);
  const run = createRunEffect({
    ...deps,
    api: withCaptcha(deps.api),
    show,
    restart,
    signInAgain,
    interaction: () => interactionQuery(deps.navigation.current().search).request ?? null,
    nextPage: () => nextPageIn(deps.navigation.current().search),
    leave,
    toast: showToast,
    identity: { authenticate, checkSession },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    userAgent: navigator.userAgent,
  });
  return { reduce, run, reopen };
}
