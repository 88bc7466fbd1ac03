import { passwords as t } from '#locales/en/passwords.ts';
import { pathOf } from '#domain/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { DoneText } from '../../flow/done-message.tsx';
import type { ScreenModule } from '../../flow/view.ts';

/** The new password counts: by a reset, or the first one (PWD-09). */
function PasswordDone() {
  return (
    <MessagePage
      door="wide"
      title={<DoneText plain={t.resetDoneTitle} others={{ passwordSet: t.setDoneTitle }} />}
      action={{ href: pathOf('signIn'), label: t.backToSignIn }}
    >
      <p>
        <DoneText plain={t.changed} others={{ passwordSet: t.created }} />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => t.resetDoneTitle, View: PasswordDone };
