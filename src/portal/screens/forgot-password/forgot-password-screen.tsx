import { useState } from 'react';
import { passwords as t } from '#locales/en/passwords.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { CheckEmail } from './check-email.tsx';
import { ForgotForm } from './forgot-form.tsx';

/** A link to set a new password, by mail (PWD-01..04). */
function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null) return <CheckEmail email={sentTo} onAgain={() => setSentTo(null)} />;
  return <ForgotForm onSent={setSentTo} />;
}

export const screen: ScreenModule = { title: () => t.forgotTitle, View: ForgotPassword };
