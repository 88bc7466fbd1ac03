import { activation as t } from '#texts/activation.ts';
import { ui } from '#texts/ui.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { Checking } from '../../flow/checking.tsx';
import { MessagePage, PorchPage } from '../../flow/message-page.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { Ready } from './ready.tsx';
import { useLinkVerdict } from './verdict.ts';

const LOGIN = { href: pathOf('signIn'), label: t.login };

const PAGES = {
  rejected: { door: 'shut', title: t.rejectedTitle, text: t.rejectedText, action: LOGIN },
  done: { door: 'wide', title: t.doneTitle, text: t.doneText, action: LOGIN },
  expired: {
    door: 'shut',
    thing: 'late',
    title: t.expiredTitle,
    text: t.expiredText,
    action: { href: pathOf('forgotPassword'), label: t.newLink },
    other: LOGIN,
  },
  invalid: {
    door: 'shut',
    thing: 'chain',
    title: t.invalidTitle,
    text: t.invalidText,
    action: LOGIN,
    other: { href: pathOf('forgotPassword'), label: ui.forgotPassword },
  },
} as const;

/** Shows an activation link. Opening it changes nothing, because mail scanners open links too (ACT-01..03). */
function Activation() {
  const verdict = useLinkVerdict();
  if (verdict.kind === 'ready') return <Ready {...verdict} />;
  if (verdict.kind === 'checking') {
    return (
      <PorchPage door="half" thing="letter" title={t.title}>
        <Checking>{t.checking}</Checking>
      </PorchPage>
    );
  }
  const { text, ...page } = PAGES[verdict.kind];
  return (
    <MessagePage key={verdict.kind} {...page}>
      <p>{text}</p>
    </MessagePage>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: Activation };
