import { useState } from 'react';
import { activation as t } from '#texts/activation.ts';
import { MessageText, PorchPage } from '../../flow/message-page.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { useFlowAt, useAppContext } from '../../flow/app-context.ts';
import { Alert } from '../../ui/alert.tsx';
import { showToast } from '../../ui/show-toast.ts';
import { dismissToast } from '../../ui/toast.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Address, fillNodes, Phone } from '../../ui/contacts.tsx';
import { problems } from '#texts/problems.ts';
import type { LinkVerdict } from './verdict.ts';
import styles from './activation.module.css';

type ReadyVerdict = Extract<LinkVerdict, { kind: 'ready' }>;

/**
 * Acts only on a pressed button: opening the page must not send or confirm anything (ACT-03). A mailed link names the
 * sign-up that it confirms, and can reject it (security D27).
 */
export function Ready({ email, phone, canSendOtp, reject }: ReadyVerdict) {
  const { flow } = useAppContext();
  const { step, problem } = useFlowAt('activation') ?? {};
  const contacts = { email: <Address email={email} />, phone: <Phone number={phone} /> };
  return (
    <PorchPage door="half" thing="letter" title={t.title}>
      <MessageText>
        <p>{fillNodes(reject ? t.confirmLead : t.lead, contacts)}</p>
      </MessageText>
      <PageProblem problem={problem} />
      <div className={styles.ways}>
        {reject && (
          <Button
            pending={step === 'confirming' || step === 'activating'}
            pendingLabel={t.confirming}
            action="confirm"
            onClick={() => flow.send({ type: 'linkConfirmAsked' })}
          >
            {t.confirm}
          </Button>
        )}
        {canSendOtp && (
          <Button
            variant={reject ? 'secondary' : 'primary'}
            wide
            pending={step === 'sendingOtp'}
            pendingLabel={t.pending}
            action="send"
            onClick={() => flow.send({ type: 'linkOtpAsked' })}
          >
            {reject ? t.submitInstead : t.submit}
          </Button>
        )}
      </div>
      {reject && <Reject reject={reject} />}
    </PorchPage>
  );
}

function Reject({ reject }: { reject: () => Promise<boolean> }) {
  const [isPending, setPending] = useState(false);
  const [hasFailed, setFailed] = useServerState('reject', false);
  const onClick = async () => {
    setPending(true);
    setFailed(false);
    dismissToast();
    const isGone = await reject();
    setPending(false);
    if (isGone) return;
    setFailed(true);
    showToast('warning', problems.general);
  };
  return (
    <>
      <Button
        variant="quiet"
        pending={isPending}
        pendingLabel={t.rejecting}
        action="reject"
        onClick={onClick}
      >
        {t.reject}
      </Button>
      {hasFailed && <Alert tone="warning">{problems.general}</Alert>}
    </>
  );
}
