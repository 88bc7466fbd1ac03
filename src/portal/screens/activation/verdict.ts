import { useEffect, useState } from 'react';
import { parseActivationLink } from '#domain/activation-link.ts';
import { usePortal, useView } from '../../flow/portal.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';

export type LinkVerdict =
  | { readonly kind: 'checking' | 'done' | 'expired' | 'invalid' }
  | { readonly kind: 'ready'; readonly email: string; readonly phone: string };

/** Asks the server about the link in the address; a valid one is handed to the flow. */
export function useLinkVerdict(): LinkVerdict {
  const { api, flow } = usePortal();
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
      const { primaryEmailId: email, primaryPhoneNumber: phone } = result.data;
      return { kind: 'ready', email, phone };
    };
    void ask().then((found) => {
      if (isHere) setVerdict(found);
    });
    return () => {
      isHere = false;
    };
  }, [api, flow, search]);
  return verdict;
}
