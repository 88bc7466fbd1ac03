import { activation as t } from '#texts/activation.ts';
import { ui } from '#texts/ui.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { Checking } from '../../flow/checking.tsx';
import { MessagePage, PorchPage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Ready } from './ready.tsx';
import { useLinkVerdict } from './verdict.ts';

const LOGIN = { href: pathOf('signIn'), label: t.login };

/** Shows an activation link. Opening it changes nothing, because mail scanners open links too (ACT-01..03). */
function Activation() {
  const verdict = useLinkVerdict();
  switch (verdict.kind) {
    case 'checking':
      return (
        <PorchPage door="half" thing="letter">
          <PageHeading>{t.title}</PageHeading>
          <Checking>{t.checking}</Checking>
        </PorchPage>
      );
    case 'ready':
      return <Ready {...verdict} />;
    case 'rejected':
      return (
        <MessagePage key="rejected" door="shut" title={t.rejectedTitle} action={LOGIN}>
          <p>{t.rejectedText}</p>
        </MessagePage>
      );
    case 'done':
      return (
        <MessagePage key="done" door="wide" title={t.doneTitle} action={LOGIN}>
          <p>{t.doneText}</p>
        </MessagePage>
      );
    case 'expired':
      return (
        <MessagePage
          key="expired"
          door="shut"
          thing="late"
          title={t.expiredTitle}
          action={{ href: pathOf('forgotPassword'), label: t.newLink }}
          other={LOGIN}
        >
          <p>{t.expiredText}</p>
        </MessagePage>
      );
    case 'invalid':
      return (
        <MessagePage
          key="invalid"
          door="shut"
          thing="chain"
          title={t.invalidTitle}
          action={LOGIN}
          other={{ href: pathOf('forgotPassword'), label: ui.forgotPassword }}
        >
          <p>{t.invalidText}</p>
        </MessagePage>
      );
  }
}

export const screen: ScreenModule = { title: () => t.title, View: Activation };
