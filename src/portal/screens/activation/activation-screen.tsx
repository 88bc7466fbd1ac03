import { activation as texts } from '#locales/en/activation.ts';
import { passwords } from '#locales/en/passwords.ts';
import { pathOf } from '#domain/screens.ts';
import { Checking } from '../../flow/checking.tsx';
import { MessagePage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Ready } from './ready.tsx';
import { useLinkVerdict } from './verdict.ts';

const LOGIN = { href: pathOf('signIn'), label: texts.login };

/** Where an activation link lands. Looking at it changes nothing: a mail scanner may look too (ACT-01..03). */
function Activation() {
  const verdict = useLinkVerdict();
  switch (verdict.kind) {
    case 'checking':
      return (
        <>
          <PageHeading>{texts.title}</PageHeading>
          <Checking>{texts.checking}</Checking>
        </>
      );
    case 'ready':
      return <Ready {...verdict} />;
    case 'rejected':
      return (
        <MessagePage
          key="rejected"
          drawing="door-closed-lamp"
          title={texts.rejectedTitle}
          action={LOGIN}
        >
          <p>{texts.rejectedText}</p>
        </MessagePage>
      );
    case 'done':
      return (
        <MessagePage key="done" drawing="door-open" title={texts.doneTitle} action={LOGIN}>
          <p>{texts.doneText}</p>
        </MessagePage>
      );
    case 'expired':
      return (
        <MessagePage
          key="expired"
          drawing="letter-clock"
          title={texts.expiredTitle}
          action={LOGIN}
          other={{ href: pathOf('forgotPassword'), label: texts.newLink }}
        >
          <p>{texts.expiredText}</p>
        </MessagePage>
      );
    case 'invalid':
      return (
        <MessagePage
          key="invalid"
          drawing="broken-chain"
          title={texts.invalidTitle}
          action={LOGIN}
          other={{ href: pathOf('forgotPassword'), label: passwords.forgotTitle }}
        >
          <p>{texts.invalidText}</p>
        </MessagePage>
      );
  }
}

export const screen: ScreenModule = { title: () => texts.title, View: Activation };
