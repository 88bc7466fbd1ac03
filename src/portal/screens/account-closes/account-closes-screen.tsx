import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';

const t = myAccount.closing;

/** Says that the account closes, and how to keep it. */
function AccountCloses() {
  const action = { href: pathOf('signIn'), label: otp.backToSignIn };
  return (
    <MessagePage door="lamp" title={t.noted} action={action}>
      <p>{t.notedText}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => t.noted, View: AccountCloses };
