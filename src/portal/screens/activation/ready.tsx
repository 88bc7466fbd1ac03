import { activation as texts } from '#messages/en/activation.ts';
import { fill } from '#messages/fill.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { useFlowAt, usePortal } from '../../flow/portal.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';

/** The code goes out only when the visitor asks for it: opening a page must not send anything (ACT-03). */
export function Ready({ email, phone }: { email: string; phone: string }) {
  const { flow } = usePortal();
  const state = useFlowAt('activation');
  return (
    <>
      <PageHeading key="ready" lead={fill(texts.lead, { email, phone })}>
        {texts.title}
      </PageHeading>
      <FormProblem problem={state?.problem ?? null} />
      <Button
        pending={state?.step === 'sendingCode'}
        pendingLabel={texts.pending}
        onClick={() => void flow.send({ type: 'linkCodeAsked' })}
      >
        {texts.submit}
      </Button>
    </>
  );
}
