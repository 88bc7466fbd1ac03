import { pages as t } from '#texts/pages.ts';
import { problems } from '#texts/problems.ts';
import { ui } from '#texts/ui.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';

/** Shows that a reset link is not valid (SCR-04, PWD-06). */
function InvalidLink() {
  return (
    <MessagePage
      door="shut"
      thing="chain"
      title={problems.invalidLink}
      action={{ href: pathOf('signIn'), label: t.signIn }}
      other={{ href: pathOf('forgotPassword'), label: ui.forgotPassword }}
    >
      <p>{t.invalidText}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => problems.invalidLink, View: InvalidLink };
