import { useCallback, useEffect } from 'react';
import { problems } from '#texts/problems.ts';
import { parseActivationLink } from '#domain/proofs/activation-link.ts';
import { type AppContextValue, useAppContext, useView } from '../../flow/app-context.ts';
import { useServerState, useDeferredQuery } from '../../lib/form-actions.ts';
import { offerContinue } from '../../lib/native-form.ts';
import { linkBody } from '../../lib/link-body.ts';
import { setItem, toSubtenant } from '../../lib/storage.ts';

export type LinkVerdict =
  | { readonly kind: 'checking' | 'done' | 'expired' | 'invalid' | 'rejected' }
  | {
      readonly kind: 'ready';
      readonly email: string;
      readonly phone: string;
      readonly canSendOtp: boolean;
      /** Rejects the sign-up; `null` for a link that was not mailed, because it proves nothing. */
      readonly reject: (() => Promise<boolean>) | null;
    };

/** Validates the link of the address; passes a valid one to the flow. */
export function useLinkVerdict(): LinkVerdict {
  const context = useAppContext();
  const { api, flow } = context;
  const { search } = useView();
  const [verdict, setVerdict] = useServerState<LinkVerdict>('verdict', {
    kind: linkIn(search) ? 'checking' : 'invalid',
  });
  const ask = useCallback(
    async (isHere: () => boolean = () => true): Promise<LinkVerdict> => {
      const link = linkIn(search);
      if (!link) return { kind: 'invalid' };
      const body = linkBody(link);
      const result = await api.call('validateLink', { body });
      const isInvalid = result.kind === 'refused' && result.messages[0] === problems.invalidLink;
      if (isInvalid) return { kind: 'invalid' };
      if (result.kind !== 'ok' || !result.data) return { kind: 'expired' };
      if (result.data.isDone) return { kind: 'done' };
      const { userActivationId } = result.data;
      await flow.send({ type: 'linkFollowed', link: { ...link, userActivationId } });
      await applySubtenant(context, result.data.subtenantId);
      const { primaryEmailId: email, primaryPhoneNumber: phone } = result.data;
      const { canConfirm = false, canSendOtp = true } = result.data;
      const reject = async () => {
        const gone = await api.call('rejectLink', { body });
        const isGone = gone.kind === 'ok' && gone.data;
        if (isGone && isHere()) setVerdict({ kind: 'rejected' });
        return isGone;
      };
      return { kind: 'ready', email, phone, canSendOtp, reject: canConfirm ? reject : null };
    },
    [api, flow, context, search, setVerdict],
  );
  useDeferredQuery('verdict', async () => setVerdict(await ask()));
  useEffect(() => {
    let isHere = true;
    ask(() => isHere).then((found) => {
      if (isHere) setVerdict(found);
    }, offerContinue);
    return () => {
      isHere = false;
    };
  }, [ask, setVerdict]);
  return verdict;
}

function linkIn(search: string) {
  const query = new URLSearchParams(search);
  return parseActivationLink(query.get('UID'), query.get('SUP'));
}

/** Shows the name and logo of the link's subtenant. On another device the page started with the default. */
async function applySubtenant(
  { api, subtenant }: AppContextValue,
  subtenantId: number,
): Promise<void> {
  if (subtenant.get().id === subtenantId) return;
  const result = await api.call('getSubtenant', { body: { subtenantId, isActive: true } });
  const [details] = result.kind === 'ok' ? result.data : [];
  if (!details) return;
  subtenant.set(toSubtenant(details));
  setItem('subtenantDetails', details);
}
