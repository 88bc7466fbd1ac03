import { pages as t } from '#locales/en/pages.ts';
import { pathOf } from '#domain/screens.ts';
import { DoneText } from '../../flow/done-message.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { MessagePage } from '../../flow/message-page.tsx';

/** The account is there (SCR-02). */
function Congratulation() {
  const { activated, created, oldPassword } = t;
  return (
    <MessagePage
      drawing="door-open"
      title={t.congratulationTitle}
      action={{ href: pathOf('signIn'), label: t.login }}
      other={{ href: pathOf('signUp'), label: t.backToSignUp }}
    >
      <p>
        <DoneText plain={activated} others={{ created, oldPassword }} />
      </p>
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: () => t.congratulationTitle,
  View: Congratulation,
};
