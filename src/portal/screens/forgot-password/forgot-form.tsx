import { useEffect, useState } from 'react';
import { fields } from '#messages/en/fields.ts';
import { passwords as texts } from '#messages/en/passwords.ts';
import { ui } from '#messages/en/ui.ts';
import { pathOf } from '#domain/screens.ts';
import { checkEmail } from '#domain/validation.ts';
import { FormProblem } from '../../flow/form-problem.tsx';
import { useLink } from '../../flow/link.ts';
import { OfflineNote } from '../../flow/offline-note.tsx';
import { usePortal } from '../../flow/portal.ts';
import { useForm } from '../../lib/form.ts';
import { Button } from '../../ui/button.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { tidying } from '../../ui/tidy.ts';
import { showToast } from '../../ui/toast.ts';
import { askForLink, type AskOutcome } from './ask.ts';
import { VerifyHere } from './verify-here.tsx';

type Field = 'email';

export function ForgotForm({ onSent }: { onSent: (email: string) => void }) {
  const { api, carried } = usePortal();
  const back = useLink(pathOf('signIn'));
  const signUp = useLink(pathOf('signUp'));
  const [outcome, setOutcome] = useState<AskOutcome | null>(null);
  const form = useForm<Field>({
    id: 'forgot-password',
    validate(values) {
      const problem = checkEmail(values.text('email'));
      return problem ? { email: fields[problem] } : {};
    },
    async onSubmit(values) {
      const email = values.text('email').trim();
      carried.set({ email });
      const asked = await askForLink(api, email);
      setOutcome(asked);
      if (asked.kind !== 'sent') return;
      showToast('success', texts.linkSent, { isSilent: true });
      onSent(email);
    },
  });
  const { showProblems } = form;
  useEffect(() => {
    // The answer about an address stands at its field, with the way on in the same line.
    if (outcome?.kind === 'unknown') {
      showProblems({
        email: (
          <>
            {texts.noAccount} <a {...signUp}>{texts.createAccount}</a>
          </>
        ),
      });
    }
    if (outcome?.kind === 'notActive') {
      showProblems({
        email: (
          <>
            {texts.notActive} <VerifyHere email={outcome.email} />
          </>
        ),
      });
    }
    // Only a new outcome is told: the links in it are made anew at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [outcome]);

  return (
    <>
      <BackLink {...back}>{texts.backToLogin}</BackLink>
      <PageHeading lead={texts.forgotLead}>{texts.forgotTitle}</PageHeading>
      <OfflineNote />
      <FormProblem problem={outcome?.kind === 'failed' ? outcome.problem : null} />
      <form {...form.props}>
        <TextField
          name="email"
          type="email"
          label={texts.email}
          required
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          defaultValue={carried.get().email}
          onInput={tidying((text) => text.trimStart())}
          error={form.problems.email}
        />
        <Button type="submit" pending={form.isPending} pendingLabel={texts.forgotPending}>
          {texts.forgotSubmit}
        </Button>
        {form.isSlow && <p>{ui.stillWorking}</p>}
      </form>
    </>
  );
}
