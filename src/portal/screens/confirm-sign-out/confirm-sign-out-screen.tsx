import { interactions as t } from '#texts/interactions.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useLink } from '../../flow/link.ts';
import { MessageText, PorchPage } from '../../flow/message-page.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import { Submit } from '../../ui/submit.tsx';

/** Shows the hosted login's own question. Its form posts to the hosted login, so it works without scripts. */
function ConfirmSignOut() {
  const { form } = useAppContext().boot;
  const out = useLink(pathOf('signOut'));
  const stay = useLink(pathOf('signIn'));
  return (
    <PorchPage door="ajar" title={t.signOutTitle}>
      <MessageText>
        <p>{t.signOutText}</p>
      </MessageText>
      {form ? (
        <form method="post" action={form.action}>
          <input type="hidden" name="xsrf" value={form.xsrf} />
          <Submit name="logout" value="yes" variant="primary" wide>
            {t.signOutYes}
          </Submit>
        </form>
      ) : (
        <a {...out} className={buttonClass('primary', true)}>
          {t.signOutYes}
        </a>
      )}
      <Alternative>
        <a {...stay}>{t.signOutNo}</a>
      </Alternative>
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.signOutTitle, View: ConfirmSignOut };
