import { useEffect, useRef, useState } from 'react';
import type { Delivery } from '#domain/proofs/delivery.ts';
import type { PendingOtp } from '#domain/flow/visit.ts';
import { delivery as t } from '#texts/delivery.ts';
import { otp as otpTexts } from '#texts/otp.ts';
import { fill } from '#locales/fill.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { useFormActions } from '../../lib/form-actions.ts';
import { announce } from '../../ui/live-region.tsx';
import { callText, isLost } from './call-words.ts';
import { type Message, stateText } from './state-text.ts';

/**
 * Returns the states of this code's messages; `null` before the first answer. Each change is announced once. When the
 * link of the same mail is used elsewhere, the flow moves on.
 */
export function useOtpWatch(otp: PendingOtp | null, calls: number): Delivery | null {
  const { api, flow } = useAppContext();
  const [delivery, setDelivery] = useState<Delivery | null>(null);
  const otpId = otp?.id ?? null;
  const registrationId = otp?.mode === 'signIn' ? null : (otp?.registrationId ?? null);
  const said = useRef(new Map<string, string>());
  const otpNow = useRef(otp);
  otpNow.current = otp;
  useEffect(() => {
    if (otpId === null) return;
    let isGone = false;
    let stop = () => {
      isGone = true;
    };
    const ask = async () => {
      const result = await api.call('getVisit').catch(() => null);
      return result?.kind === 'ok' ? result.data : null;
    };
    const onDelivery = (news: Delivery) => {
      setDelivery(news);
      for (const message of news.messages) announceChange(said.current, otpId, message);
      if (otpNow.current) announceCall(said.current, news, otpNow.current);
      const isNew = isNews(said.current, `${otpId}:lost`, String(isLost(news)));
      if (isNew && isLost(news)) announce(otpTexts.lost);
    };
    const onConfirmed = async (isByPhone: boolean) => {
      await flow.send({ type: 'confirmedElsewhere', isByPhone });
      // After the toast, which would speak over it.
      announce(isByPhone ? otpTexts.elsewhereByPhone : otpTexts.elsewhere);
    };
    // Without this chunk the code still works.
    import('./watch-otp.ts').then(
      ({ watchOtp }) => {
        if (isGone) return;
        stop = watchOtp({
          ask,
          otpId,
          registrationId,
          isChanged: calls > 0,
          onDelivery,
          onConfirmed: (isByPhone) => void onConfirmed(isByPhone),
        });
      },
      () => undefined,
    );
    return () => stop();
  }, [api, flow, otpId, registrationId, calls]);
  return delivery?.id === otpId ? delivery : null;
}

/** Returns the server's state while it renders the page, for a browser without JavaScript; `null` in a browser. */
export function useKnownDelivery(otpId: string): Delivery | null {
  if (!import.meta.env.SSR) return null;
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  const known = useFormActions()?.kept.get('delivery') as Delivery | null | undefined;
  return known?.id === otpId ? known : null;
}

/** The page itself has already said that a message was sent. */
function announceChange(said: Map<string, string>, otpId: string, message: Message): void {
  const { channel, state } = message;
  if (!isNews(said, `${otpId}:${channel}`, state)) return;
  if (state !== 'delivered' && state !== 'failed') return;
  announce(fill(t.spoken, { channel: t.channels[channel], state: stateText(message) }));
}

function announceCall(said: Map<string, string>, { id, call }: Delivery, otp: PendingOtp): void {
  const text = callText(call, otp);
  if (call && text !== null && isNews(said, `${id}:call`, call.state ?? '')) announce(text);
}

function isNews(said: Map<string, string>, key: string, state: string): boolean {
  if (said.get(key) === state) return false;
  said.set(key, state);
  return true;
}
