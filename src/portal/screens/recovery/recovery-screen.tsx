import { myAccount } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { MessagePage, MessageText, PorchPage } from '../../flow/message-page.tsx';
import { PhoneProof } from '../../flow/phone-proof.tsx';
import type { ScreenModule } from '../../flow/view.ts';

const t = myAccount.recovery;

/** Asks for a proof that is older than an undone change, before a new password. */
function Recovery() {
  const { link } = useAppContext().boot;
  if (link?.state !== 'open') {
    const action = { href: pathOf('signIn'), label: otp.backToSignIn };
    return (
      <MessagePage door="shut" thing="late" title={t.over} action={action}>
        <p>{t.overText}</p>
      </MessagePage>
    );
  }
  return (
    <PorchPage door="ajar" title={t.title} lead={t.lead}>
      {link.phone === null ? (
        <MessageText>
          <p>{t.noProof}</p>
          <p>
            <HelpLines />
          </p>
        </MessageText>
      ) : (
        <PhoneProof link={link} text={t.byPhone} />
      )}
    </PorchPage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: Recovery };
