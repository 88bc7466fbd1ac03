import type { ReactNode } from 'react';
import { signUp as t } from '#locales/en/sign-up.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { PhoneField } from '../../ui/phone-field.tsx';
import { useCountries } from './lists.ts';

/** Phone number with its country code; without the full list the first three countries serve (SUP-06, SUP-07). */
export function PhoneRow({ error }: { error: ReactNode }) {
  const { countries, hasFailed, retry } = useCountries();
  return (
    <div>
      <PhoneField
        name="phone"
        codeName="dialCode"
        label={t.phone}
        hint={t.phoneHint}
        required
        countries={countries}
        error={error}
      />
      {hasFailed && (
        <>
          <Note icon="info">{t.countriesFailed}</Note>
          <Button variant="quiet" icon="refresh-cw" onClick={retry}>
            {t.tryAgain}
          </Button>
        </>
      )}
    </div>
  );
}
