import { interactions as t } from '#texts/interactions.ts';
import { fill } from '#locales/fill.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { keepWhole } from '../../ui/keep-whole.tsx';
import type { ScreenModule } from '../../flow/view.ts';

/** Shows that an OAuth client's interaction has ended. */
function InteractionOver() {
  const { client } = useView().visit;
  const { refusal } = useAppContext().boot;
  const toSignIn = { href: pathOf('signIn'), label: t.toSignIn };
  const again = client?.startUrl && {
    href: client.startUrl,
    label: fill(t.startAgain, { client: client.clientName }),
  };
  return (
    <MessagePage
      door="shut"
      title={keepWhole(refusal ? t.refusedTitle : t.overTitle)}
      action={again || toSignIn}
      {...(again && { other: toSignIn })}
    >
      <p>{refusal ? t.refusedText : t.overText}</p>
      {refusal && <p>{fill(t.refusedReference, { reference: refusal.reference })}</p>}
      {refusal?.cause && <p>{fill(t.refusedCause, { cause: refusal.cause })}</p>}
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: ({ refusal }) => (refusal ? t.refusedTitle : t.overTitle),
  View: InteractionOver,
  status: 400,
};
