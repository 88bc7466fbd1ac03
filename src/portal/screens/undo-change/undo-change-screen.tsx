import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage, MessageText, PorchPage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Alternative } from '../../ui/link-row.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';

const t = myAccount.undo;

/** Undoes a changed contact from the old mailbox: opening the page changes nothing, the button does. */
function UndoChange() {
  const { link } = useAppContext().boot;
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
    <PorchPage door="ajar" thing="letter" title={t.title}>
      <MessageText>
        <p>{t.lead}</p>
        <p>{t.whatNext}</p>
      </MessageText>
      <NativeForm id="undo">
        <Submit>{t.button}</Submit>
      </NativeForm>
      <Alternative>{t.keep}</Alternative>
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: UndoChange };
