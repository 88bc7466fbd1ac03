import type { Delivery } from '#domain/proofs/delivery.ts';
import { OTP_MAX_LIFE_MS } from '#domain/proofs/otp.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';

type Input = {
  /** Reads the visit's state; `null`: no answer this time. */
  readonly ask: () => Promise<{
    readonly activated: string | null;
    readonly isActivatedByPhone: boolean;
    readonly delivery: Delivery | null;
  } | null>;
  readonly otpId: string;
  /** The registration that the link of the same mail may confirm elsewhere; `null` without such a link. */
  readonly registrationId: string | null;
  /** Something was asked for a moment ago: its state is read at once. */
  readonly isChanged: boolean;
  readonly onDelivery: (delivery: Delivery) => void;
  readonly onConfirmed: (isByPhone: boolean) => void;
};

/** Pauses before each request; the last one repeats. */
const PAUSES_MS = [1500, 2500, 4000, 6000, 8000, 10_000];
/** The longest pause while the link may be opened elsewhere, and how long the server keeps that news. */
const CONFIRMATION_PAUSE_MS = 3000;
const CONFIRMATION_LIFE_MS = 30 * MINUTE_MS;

/**
 * Polls the visit while its code screen is visible: the states of the messages, and whether the link was used
 * elsewhere. Ends by itself when neither can change any more.
 * @returns the function that ends it earlier
 */
export function watchOtp({
  ask,
  otpId,
  registrationId,
  isChanged,
  onDelivery,
  onConfirmed,
}: Input): () => void {
  const life = registrationId === null ? OTP_MAX_LIFE_MS : CONFIRMATION_LIFE_MS;
  const end = performance.now() + life;
  let asked = 0;
  let isAsking = false;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  }

  function wait(pause: number | null): void {
    clearTimeout(timer);
    const ms = registrationId === null ? pause : Math.min(pause ?? Infinity, CONFIRMATION_PAUSE_MS);
    if (ms === null || performance.now() > end) stop();
    else if (!document.hidden) timer = setTimeout(() => void look(), ms);
  }

  async function look(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    asked += 1;
    const answer = await ask();
    isAsking = false;
    if (isOver) return;
    if (answer && registrationId !== null && answer.activated === registrationId) {
      stop();
      onConfirmed(answer.isActivatedByPhone);
      return;
    }
    const pause = PAUSES_MS[Math.min(asked, PAUSES_MS.length - 1)] ?? 0;
    if (!answer) return wait(pause);
    const { delivery } = answer;
    // Another id: the code was used, or replaced by one with its own watch.
    if (delivery?.id !== otpId) return wait(null);
    onDelivery(delivery);
    wait(nextLook(delivery, pause));
  }

  function onVisible(): void {
    if (document.hidden) clearTimeout(timer);
    else wait(0);
  }

  document.addEventListener('visibilitychange', onVisible);
  wait(isChanged ? 0 : (PAUSES_MS[0] ?? 0));
  return stop;
}

/** Returns the milliseconds until the delivery can change; `null`: never. */
export function nextLook(delivery: Delivery, pause: number): number | null {
  const { messages, otherWays, canAskNow, call, remainingMs } = delivery;
  if (remainingMs === 0) return null;
  const isOpen = messages.some(
    ({ state, waitsForReceipt }) => state === 'queued' || (state === 'sent' && waitsForReceipt),
  );
  if (isOpen || call?.state === 'calling') return pause;
  // Another channel opens when the time is up.
  return otherWays.length > 0 && !canAskNow ? remainingMs + 500 : null;
}
