import { useEffect, useState } from 'react';
import { parseActivationLink } from '#domain/activation-link.ts';
import { type Portal, usePortal, useView } from '../../flow/portal.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { keep, toSubtenant } from '../../lib/storage.ts';

export type LinkVerdict =
  | { readonly kind: 'checking' | 'done' | 'expired' | 'invalid' }
  | { readonly kind: 'ready'; readonly email: string; readonly phone: string };

/** Asks the server about the link in the address; a valid one is handed to the flow. */
export function useLinkVerdict(): LinkVerdict {
  const portal = usePortal();
  const { api, flow } = portal;
  const { search } = useView();
  const [verdict, setVerdict] = useState<LinkVerdict>({ kind: 'checking' });
  useEffect(() => {
    let isHere = true;
    const query = new URLSearchParams(search);
    const link = parseActivationLink(query.get('UID'), query.get('SUP'));
    const ask = async (): Promise<LinkVerdict> => {
      if (!link) return { kind: 'invalid' };
      const { key, registrationId, userId, platform } = link;
      const result = await api.call('validateLink', {
        body: {
          userRegstrtnId: registrationId,
          userId,
          activationKey: key,
          signUpPlatform: platform,
          clientIPAddress: CLIENT_IP,
        },
      });
      if (result.kind === 'refused' && result.errorFlag === 'INVALID_LINK')
        return { kind: 'invalid' };
      if (result.kind !== 'ok' || !result.data) return { kind: 'expired' };
      if (result.data.isDone) return { kind: 'done' };
      await flow.send({ type: 'linkFollowed', link: { userId, registrationId, platform } });
      await wear(portal, result.data.subtenantId);
      const { primaryEmailId: email, primaryPhoneNumber: phone } = result.data;
      return { kind: 'ready', email, phone };
    };
    void ask().then((found) => {
      if (isHere) setVerdict(found);
    });
    return () => {
      isHere = false;
    };
  }, [api, flow, portal, search]);
  return verdict;
}

/** The page puts on the name and logo of the link's subtenant: on another device it began with the default. */
async function wear({ api, subtenant }: Portal, subtenantId: number): Promise<void> {
  if (subtenant.get().id === subtenantId) return;
  const result = await api.call('getSubtenant', { body: { subtenantId, isActive: true } });
  const [details] = result.kind === 'ok' ? result.data : [];
  if (!details) return;
  subtenant.set(toSubtenant(details));
  keep('subtenantDetails', details);
}
