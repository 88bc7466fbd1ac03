import { passwords as texts } from '#locales/en/passwords.ts';
import { pathOf } from '#domain/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { DoneText } from '../../flow/done-message.tsx';
import type { ScreenModule } from '../../flow/view.ts';

/** The new password counts: by a reset, or the first one (PWD-09). */
function PasswordDone() {
  return (
    <MessagePage
      drawing="key-in-lock"
      title={<DoneText plain={texts.resetDoneTitle} others={{ passwordSet: texts.setDoneTitle }} />}
      action={{ href: pathOf('signIn'), label: texts.backToSignIn }}
    >
      <p>
        <DoneText plain={texts.changed} others={{ passwordSet: texts.created }} />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => texts.resetDoneTitle, View: PasswordDone };
