import type { ReactNode } from 'react';
import type { TypedPhone } from '#domain/flow/terms.ts';
import { ui } from '#texts/ui.ts';
import { widgets } from '#texts/widgets.ts';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { PhoneField } from '../ui/phone-field.tsx';
import { useCountries } from './countries.ts';

type PhoneRowProps = {
  readonly error: ReactNode;
  /** The number that was entered before. */
  readonly initial: TypedPhone | null;
  readonly required?: boolean;
};

/**
 * Shows a phone number with its country code; without the full list it offers the first three countries (SUP-06,
 * SUP-07).
 */
export function PhoneRow({ error, initial, required = true }: PhoneRowProps) {
  const { countries, hasFailed, retry } = useCountries();
  return (
    <div>
      <PhoneField
        name="phone"
        codeName="dialCode"
        label={widgets.country.phone}
        required={required}
        countries={countries}
        initial={initial}
        error={error}
      />
      {hasFailed && (
        <>
          <Note icon="info">{widgets.country.failed}</Note>
          <Button variant="quiet" icon="refresh-cw" onClick={retry}>
            {ui.tryAgain}
          </Button>
        </>
      )}
    </div>
  );
}
