import { pages as t } from '#texts/pages.ts';
import { ui } from '#texts/ui.ts';
import { FREE_TRIAL_PATH, pathOf } from '#domain/flow/screens.ts';
import { ACADEMY_SUBTENANT_ID, isAcademy } from '#domain/people/subtenants.ts';
import { useLink } from '../../flow/link.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { useSubtenant } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { Alternative } from '../../ui/link-row.tsx';

/** Shows an unknown address, with links that lead on; the academy's sign-up is its free trial (SCR-05). */
function NotFound() {
  const { id } = useSubtenant();
  const check = useLink(pathOf('browser'));
  const signUp = isAcademy(id)
    ? `${FREE_TRIAL_PATH}?subtenantId=${ACADEMY_SUBTENANT_ID}`
    : pathOf('signUp');
  return (
    <MessagePage
      door="shut"
      thing="signpost"
      title={t.notFoundTitle}
      action={{ href: pathOf('signIn'), label: t.signIn }}
      other={{ href: signUp, label: t.signUp }}
      further={
        <Alternative>
          <a {...check}>{ui.checkBrowser}</a>
        </Alternative>
      }
    >
      <p>{t.notFoundText}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: () => t.notFoundTitle,
  status: 404,
  View: NotFound,
};
