import { ui } from '#texts/ui.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { CheckEmail, type Sent } from './check-email.tsx';
import { ForgotForm } from './forgot-form.tsx';

/** Mails a link to set a new password (PWD-01..04). */
function ForgotPassword() {
  const [sent, setSent] = useServerState<Sent | null>('sent', null);
  if (sent !== null) return <CheckEmail sent={sent} onAgain={() => setSent(null)} />;
  return <ForgotForm onSent={(email, note) => setSent({ email, note })} />;
}

export const screen: ScreenModule = {
  title: () => ui.forgotPassword,
  View: ForgotPassword,
  thing: 'letter',
};
