import { useEffect, useState } from 'react';
import { type Country, FIRST_COUNTRIES } from '#domain/typed/phone.ts';
import { useServerState, useDeferredQuery } from '../lib/form-actions.ts';
import { isOffline, subscribeOnline } from '../lib/online.ts';
import { useAppContext } from './app-context.ts';

/** Returns the countries for the picker (SUP-07): the first three until the rest is loaded. */
export function useCountries() {
  const { api } = useAppContext();
  const [countries, setCountries] = useServerState<readonly Country[]>(
    'countries',
    FIRST_COUNTRIES,
  );
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useDeferredQuery('countries', async () => {
    const result = await api.call('getCountries');
    if (result.kind === 'ok') setCountries(result.data);
  });
  useEffect(() => {
    let isCurrent = true;
    const ask = async () => {
      const result = await api.call('getCountries').catch(() => null);
      if (!isCurrent) return;
      if (result?.kind === 'ok') setCountries(result.data);
      setFailed(result?.kind !== 'ok');
    };
    void ask();
    return () => {
      isCurrent = false;
    };
  }, [api, attempt, setCountries]);
  const retry = () => setAttempt(attempt + 1);
  useEffect(() => (hasFailed ? subscribeOnline(() => isOffline() || retry()) : undefined));
  return { countries, hasFailed, retry };
}
