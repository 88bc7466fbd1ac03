import { interactions as t } from '#locales/en/interactions.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { useView } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';

/** An OAuth client's interaction that cannot be answered (any more). */
function InteractionOver() {
  const { client } = useView().visit;
  const toSignIn = { href: pathOf('signIn'), label: t.toSignIn };
  const again = client?.startUrl && {
    href: client.startUrl,
    label: fill(t.startAgain, { client: client.clientName }),
  };
  return (
    <MessagePage
      drawing="broken-chain"
      title={t.overTitle}
      action={again || toSignIn}
      {...(again && { other: toSignIn })}
    >
      <p>{t.overText}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: () => t.overTitle,
  View: InteractionOver,
  status: 400,
};
