import { interactions as texts } from '#locales/en/interactions.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';

/** An OAuth client's interaction that cannot be answered (any more). */
function InteractionOver() {
  const { client } = useView().visit;
  const toSignIn = { href: pathOf('signIn'), label: texts.toSignIn };
  const again = client?.startUrl && {
    href: client.startUrl,
    label: fill(texts.startAgain, { client: client.clientName }),
  };
  return (
    <MessagePage
      drawing="broken-chain"
      title={texts.overTitle}
      action={again || toSignIn}
      {...(again && { other: toSignIn })}
    >
      <p>{texts.overText}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: () => texts.overTitle,
  View: InteractionOver,
  status: 400,
};
