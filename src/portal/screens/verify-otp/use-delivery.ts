import { useEffect, useState } from 'react';
import { delivery as texts } from '#locales/en/delivery.ts';
import { fill } from '#locales/fill.ts';
import { usePortal } from '../../flow/app-context.ts';
import { announce } from '../../ui/live-region.tsx';
import { stateText } from './delivery-lines.tsx';
import type { Delivery } from './watch-delivery.ts';

/** What is known of the messages with this code; `null` before the first news. Each change is said once. */
export function useDelivery(codeId: string): Delivery | null {
  const { api } = usePortal();
  const [delivery, setDelivery] = useState<Delivery | null>(null);
  useEffect(() => {
    const said = new Map<string, string>();
    let isGone = false;
    let stop = () => {
      isGone = true;
    };
    const onNews = (news: Delivery) => {
      setDelivery(news);
      for (const message of news.messages) sayChange(said, message);
    };
    const ask = async () => {
      const result = await api.call('getDelivery');
      return result.kind === 'ok' ? { data: result.data } : null;
    };
    // The page does without, should it not come.
    import('./watch-delivery.ts').then(
      ({ watchDelivery }) => {
        if (!isGone) stop = watchDelivery({ ask, codeId, onNews });
      },
      () => undefined,
    );
    return () => stop();
  }, [api, codeId]);
  return delivery?.id === codeId ? delivery : null;
}

/** That a message was sent, the page has said already. */
function sayChange(said: Map<string, string>, message: Delivery['messages'][number]): void {
  const { channel, state } = message;
  if (said.get(channel) === state) return;
  said.set(channel, state);
  if (state !== 'delivered' && state !== 'failed') return;
  announce(fill(texts.spoken, { channel: texts.channels[channel], state: stateText(message) }));
}
