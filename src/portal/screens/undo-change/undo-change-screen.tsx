import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage, MessageText, PorchPage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { useNativeForm } from '../../lib/form-actions.ts';
import { Alternative } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Submit } from '../../ui/submit.tsx';

const t = myAccount.undo;

/** Undoes a changed contact from the old mailbox: opening the page changes nothing, the button does. */
function UndoChange() {
  const { link } = useAppContext().boot;
  useNativeForm('undo');
  if (link?.state !== 'open') {
    const action = { href: pathOf('signIn'), label: otp.backToSignIn };
    return (
      <MessagePage door="shut" thing="late" title={t.over} action={action}>
        <p>{t.overText}</p>
        <p>
          <HelpLines />
        </p>
      </MessagePage>
    );
  }
  return (
    <PorchPage door="ajar" thing="letter">
      <PageHeading>{t.title}</PageHeading>
      <MessageText>
        <p>{t.lead}</p>
        <p>{t.whatNext}</p>
      </MessageText>
      <form id="undo" method="post">
        <Submit>{t.button}</Submit>
      </form>
      <Alternative>{t.keep}</Alternative>
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: UndoChange };
