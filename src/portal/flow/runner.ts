import { reduce } from '#domain/flow/flow.ts';
import { withCaptcha } from '../lib/captcha.ts';
import { authenticate, checkSession } from '../lib/identity-client.ts';
import { leave } from '../lib/leave.ts';
import type { Boot } from '#contract/boot.ts';
import { createRunEffect } from './effects/run-effect.ts';
import type { Runner } from './flow.ts';
import { showToast } from '../ui/show-toast.ts';
import { createSteps, type Steps, type StepsInput } from './steps.ts';
import { interactionQuery, nextPageIn, type View } from './view.ts';
import type { Store } from '../lib/store.ts';

export type AppRunner = Runner & Pick<Steps, 'reopen'>;

type Deps = StepsInput & {
  readonly settings: Boot['settings'];
  readonly view: Pick<Store<View>, 'get' | 'subscribe'>;
  readonly now: () => number;
};

/** Milliseconds in which a browser says whether it has a lock of its own. */
const ANSWER_MS = 3000;

/** Returns whether a key is offered now: the device can save one, did not do so by itself, and no app waits. */
async function offersKey({ api, settings }: Deps, isForClient: boolean): Promise<boolean> {
  const report = (outcome: 'forApp' | 'deviceCannot') => {
    void api.call('keyOffer', { body: { outcome } });
    return false;
  };
  if (isForClient) return report('forApp');
  const keys = await import('../lib/passkeys.ts').catch(() => null);
  // A browser that throws here, or never answers, must not hold a sign-in up.
  const unanswered = new Promise<false>((resolve) => setTimeout(resolve, ANSWER_MS, false));
  const canSave = keys?.canSaveKey().catch(() => false);
  if (!(await Promise.race([canSave, unanswered]))) return report('deviceCannot');
  const isAutomatic = settings.keys === 'automatic' && (await keys?.canSaveByItself());
  return !(isAutomatic && (await keys?.saveKey(api, true)) === null);
}

/** Creates the runner, reducer and effect handlers in one chunk, which loads at the first interaction. */
export function createRunner(deps: Deps): AppRunner {
  // Preloaded, so that a screen's toast is there at its first paint.
  import('../ui/toasts.tsx').catch(() => undefined);
  if (deps.settings.keys) {
    // The form works without it.
    import('./key-sign-in.ts')
      .then(({ watchForKeys }) => watchForKeys(deps))
      .catch(() => undefined);
  }
  const { reopen, ...steps } = createSteps(deps);
  const run = createRunEffect({
    ...deps,
    api: withCaptcha(deps.api),
    ...steps,
    interaction: () => interactionQuery(deps.navigation.current().search).request ?? null,
    nextPage: () => nextPageIn(deps.navigation.current().search),
    offersKey: (isForClient) => offersKey(deps, isForClient),
    leave,
    toast: showToast,
    identity: { authenticate, checkSession },
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    userAgent: navigator.userAgent,
  });
  return { reduce, run, reopen };
}
