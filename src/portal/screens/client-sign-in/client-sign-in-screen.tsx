import { useEffect } from 'react';
import { interactions as t } from '#texts/interactions.ts';
import { signIn } from '#texts/sign-in.ts';
import { fill } from '#locales/fill.ts';
import { ContinueAs } from '../../flow/continue-as.tsx';
import { useView } from '../../flow/app-context.ts';
import { SignInForm } from '../../flow/sign-in-form.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { isUntouched } from '../../lib/fill-in.ts';
import { getItem } from '../../lib/storage.ts';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { Step } from '../../flow/step-line.tsx';
import { Button } from '../../ui/button.tsx';
import { useInteractionAnswer } from '../../flow/answer-interaction.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import styles from './client-sign-in.module.css';

/** Shows the sign-in for an OAuth client: the portal's own form, with the client's name. */
function ClientSignIn() {
  const { entrance, visit } = useView();
  const { client, login } = visit;
  const { answer, isPending, problem } = useInteractionAnswer();
  const hint = client?.loginHint ?? undefined;
  usePreferTyped(hint);
  const name = client?.clientName ?? '';
  return (
    <>
      <PageHeading above={!login && <Step n={1} />} lead={fill(t.signingInTo, { client: name })}>
        {login ? signIn.alreadyIn : t.signInTitle}
      </PageHeading>
      <Note icon="shield-check">{fill(t.lead, { client: name })}</Note>
      <ContinueAs login={login} entrance={entrance}>
        <SignInForm entrance={entrance} email={hint} />
      </ContinueAs>
      <div className={styles.cancel}>
        <FormProblem problem={problem} />
        <Button
          variant="quiet"
          pending={isPending}
          pendingLabel={fill(t.allowing, { client: name })}
          action="deny"
          onClick={() => answer('denyInteraction')}
        >
          {fill(t.cancel, { client: name })}
        </Button>
      </div>
    </>
  );
}

/** Prefers an address that was entered in this tab to the client's login hint. */
function usePreferTyped(hint: string | undefined): void {
  useEffect(() => {
    const input = document.querySelector<HTMLInputElement>('#email');
    const typed = getItem('typedEmail');
    if (typed && input && input.value === hint && isUntouched(input)) input.value = typed;
  }, [hint]);
}

export const screen: ScreenModule = {
  title: ({ visit }) => fill(t.signingInTo, { client: visit.client?.clientName ?? '' }),
  View: ClientSignIn,
};
