import { passwords as texts } from '#messages/en/passwords.ts';
import { pathOf } from '#domain/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { useDoneMessage } from '../../flow/done-message.ts';
import type { ScreenModule } from '../../flow/view.ts';

/** The new password counts: by a reset, or the first one (PWD-09). */
function PasswordDone() {
  const isFirst = useDoneMessage() === 'passwordSet';
  return (
    <MessagePage
      drawing="key-in-lock"
      title={isFirst ? texts.setDoneTitle : texts.resetDoneTitle}
      action={{ href: pathOf('signIn'), label: texts.backToSignIn }}
    >
      <p>{isFirst ? texts.created : texts.changed}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => texts.resetDoneTitle, View: PasswordDone };
