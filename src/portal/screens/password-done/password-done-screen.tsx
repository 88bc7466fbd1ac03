import { passwordDone as t } from '#texts/password-done.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import type { ClientInteraction } from '#domain/flow/visit.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { DoneText } from '../../flow/done-message.tsx';
import { useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';

const TO_SIGN_IN = { href: pathOf('signIn'), label: t.backToSignIn };

/**
 * Shows that the new password is set, by a reset or for the first time (PWD-09). It leads back to the app that the
 * person came from.
 */
function PasswordDone() {
  const { client } = useView().visit;
  const onward = client && wayOnTo(client);
  return (
    <MessagePage
      door="wide"
      title={<DoneText plain={t.resetDoneTitle} others={{ passwordSet: t.setDoneTitle }} />}
      action={onward || TO_SIGN_IN}
    >
      <p>
        <DoneText plain={t.changed} others={{ passwordSet: t.created }} />
      </p>
      {client && !onward && <p>{fill(t.goBackTo, { client: client.clientName })}</p>}
    </MessagePage>
  );
}

/** Returns the link to the waiting request, or to the app's own sign-in; `null` if the app has registered none. */
function wayOnTo({ step, startUrl, clientName }: ClientInteraction) {
  const label = fill(t.onTo, { client: clientName });
  if (step === 'signIn' || step === 'choose') return { href: pathOf('clientSignIn'), label };
  return startUrl === null ? null : { href: startUrl, label };
}

export const screen: ScreenModule = { title: () => t.resetDoneTitle, View: PasswordDone };
