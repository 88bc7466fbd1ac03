import type { ReactNode } from 'react';
import { fields } from '#texts/fields.ts';
import { signUp as t } from '#texts/sign-up.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { useLink } from '../../flow/link.ts';
import { useTypedEmail } from '../../lib/typed-email.ts';
import { EmailField } from '../../ui/email-field.tsx';

/** Renders the email field. Its message for an address in use has a link to sign in (SUP-21). */
export function EmailRow({ error }: { error: ReactNode }) {
  const typed = useTypedEmail();
  const link = useLink(pathOf('signIn'));
  const isInUse = error === fields.emailInUse;
  return (
    <EmailField
      label={t.email}
      enterKeyHint="next"
      inputRef={typed}
      error={
        isInUse ? (
          <>
            {error} <a {...link}>{t.signIn}</a>
            <br />
            <HelpLines />
          </>
        ) : (
          error
        )
      }
    />
  );
}
