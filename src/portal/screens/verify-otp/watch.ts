import { code as texts } from '#locales/en/otp.ts';
import type { Flow } from '../../flow/flow.ts';
import type { Api } from '../../lib/api.ts';
import { announce } from '../../ui/live-region.tsx';

const EVERY_MS = 3000;
/** As long as the server keeps the code screen. */
const LIFE_MS = 30 * 60 * 1000;

type Deps = {
  readonly api: Api;
  readonly flow: Flow;
  readonly registrationId: string;
};

/**
 * Asks where this visit stands, every few seconds and only while somebody can see the page. @returns the way to stop it.
 */
export function watch({ api, flow, registrationId }: Deps): () => void {
  const end = performance.now() + LIFE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isAsking = false;

  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const result = await api.call('getVisit');
    isAsking = false;
    if (isOver) return;
    if (result.kind === 'ok' && result.data.activated === registrationId) {
      stop();
      await flow.send({ type: 'confirmedElsewhere' });
      // After the toast, which would speak over it.
      announce(texts.elsewhere);
      return;
    }
    plan();
  }

  function plan(): void {
    clearTimeout(timer);
    if (document.visibilityState !== 'visible' || performance.now() > end) return;
    timer = setTimeout(() => void ask(), EVERY_MS);
  }

  /** Back from the mail program: at once. */
  function onVisible(): void {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') void ask();
  }

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  }

  document.addEventListener('visibilitychange', onVisible);
  plan();
  return stop;
}
