import { pages as texts } from '#locales/en/pages.ts';
import { pathOf } from '#domain/screens.ts';
import { DoneText } from '../../flow/done-message.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { MessagePage } from '../../flow/message-page.tsx';

/** The account is there (SCR-02). */
function Congratulation() {
  const { activated, created, oldPassword } = texts;
  return (
    <MessagePage
      drawing="door-open"
      title={texts.congratulationTitle}
      action={{ href: pathOf('signIn'), label: texts.login }}
      other={{ href: pathOf('signUp'), label: texts.backToSignUp }}
    >
      <p>
        <DoneText plain={activated} others={{ created, oldPassword }} />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: () => texts.congratulationTitle,
  View: Congratulation,
};
