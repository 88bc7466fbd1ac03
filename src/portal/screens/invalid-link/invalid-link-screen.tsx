import { pages as t } from '#locales/en/pages.ts';
import { passwords } from '#locales/en/passwords.ts';
import { pathOf } from '#domain/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';

/** A reset link that is not valid (SCR-04, PWD-06). */
function InvalidLink() {
  return (
    <MessagePage
      door="shut"
      title={t.invalidTitle}
      action={{ href: pathOf('signIn'), label: t.signIn }}
      other={{ href: pathOf('forgotPassword'), label: passwords.forgotTitle }}
    >
      <p>{t.invalidText}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => t.invalidTitle, View: InvalidLink };
