import { fields } from '#texts/fields.ts';
import { pages as t } from '#texts/pages.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useFlowAt } from '../../flow/app-context.ts';
import { DoneText, isProvenByPhone, ProvenText } from '../../flow/done-message.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { MessagePage } from '../../flow/message-page.tsx';
import { Alert } from '../../ui/alert.tsx';

/** Shows that the account is active (SCR-02). */
function Congratulation() {
  const { activated, created, oldPassword } = t;
  const isKnown = useFlowAt('done')?.isKnown;
  return (
    <MessagePage
      door="wide"
      title={<ProvenText mail={t.congratulationTitle} phone={t.phoneVerifiedTitle} />}
      action={{ href: pathOf('signIn'), label: t.login }}
      other={{ href: pathOf('signUp'), label: t.backToSignUp }}
    >
      <p>
        <DoneText plain={activated} others={{ created, oldPassword }} />
      </p>
      {isKnown && <Alert tone="info">{fields.emailInUse}</Alert>}
    </MessagePage>
  );
}

export const screen: ScreenModule = {
  title: ({ visit }) => (isProvenByPhone(visit) ? t.phoneVerifiedTitle : t.congratulationTitle),
  View: Congratulation,
};
