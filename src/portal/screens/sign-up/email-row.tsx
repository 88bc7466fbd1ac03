import type { ReactNode } from 'react';
import { fields } from '#messages/en/fields.ts';
import { signUp as texts } from '#messages/en/sign-up.ts';
import { pathOf } from '#domain/screens.ts';
import { useLink } from '../../flow/link.ts';
import { EmailField } from '../../ui/email-field.tsx';

/** The address. For one that has an account already, the way to it stands in the message (SUP-21). */
export function EmailRow({ error, initial }: { error: ReactNode; initial: string | undefined }) {
  const link = useLink(pathOf('signIn'));
  const isInUse = error === fields.emailInUse;
  return (
    <EmailField
      label={texts.email}
      initial={initial}
      enterKeyHint="next"
      error={
        isInUse ? (
          <>
            {error} <a {...link}>{texts.logIn}</a>
          </>
        ) : (
          error
        )
      }
    />
  );
}
