import { useEffect, useState } from 'react';
import { fields } from '#texts/fields.ts';
import { problems as problemTexts } from '#texts/problems.ts';
import { signUp as t } from '#texts/sign-up.ts';
import { ui } from '#texts/ui.ts';
import type { SignUpData } from '#domain/flow/terms.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { isAllRequiredFailing, normalizeName } from '#domain/typed/sign-up-form.ts';
import { StillWorking } from '../../flow/late.tsx';
import { fieldProblem } from '../../flow/form-problem.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { useLink } from '../../flow/link.ts';
import { useFlowAt, useAppContext, useSubtenant, useView } from '../../flow/app-context.ts';
import { HelpLines } from '../../flow/help-lines.tsx';
import { signUpDraft } from '../../flow/sign-up-draft.ts';
import { fillIn, isUntouched } from '../../lib/fill-in.ts';
import { useForm } from '../../lib/form.ts';
import { setItem } from '../../lib/storage.ts';
import { useTypedEmail } from '../../lib/typed-email.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField } from '../../ui/email-field.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import { announce } from '../../ui/live-region.tsx';
import { PasswordPair } from '../../ui/password-pair.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { normalizeOnInput } from '../../ui/normalize.ts';
import { showToast } from '../../ui/show-toast.ts';
import { PhoneRow } from '../../flow/phone-row.tsx';
import { type Field, signUpProblems, signUpRequestOf } from './sign-up-values.ts';
import { Survey } from './survey.tsx';

const neatName = normalizeOnInput(normalizeName);
const NAMES = [
  ['firstName', 'given-name'],
  ['lastName', 'family-name'],
] as const;

/** Renders the sign-up form. */
export function SignUpForm({ isTrial }: { isTrial: boolean }) {
  const logIn = useLink(pathOf('signIn'));
  const form = useSignUpForm(isTrial);
  const { problems } = form;
  const draft = useDraft(form.props.id);
  const email = useTypedEmail();
  const isLeaving = useFlowAt('signUp')?.step === 'leaving';
  const isInUse = isLeaving || problems.email === fields.emailInUse;
  // An address in use leads to sign-in (SUP-21).
  const emailError = isInUse ? (
    <>
      {fields.emailInUse} <a {...logIn}>{t.signIn}</a>
      <br />
      <HelpLines />
    </>
  ) : (
    problems.email
  );
  return (
    <>
      <SignUpProblem />
      <ErrorSummary rows={form.summary} />
      <form {...form.props}>
        <p>{ui.required}</p>
        {NAMES.map(([name, autoComplete]) => (
          <TextField
            key={name}
            name={name}
            label={t[name]}
            required
            autoComplete={autoComplete}
            autoCapitalize="words"
            enterKeyHint="next"
            onInput={neatName}
            error={problems[name]}
          />
        ))}
        <PhoneRow error={problems.phone} initial={draft} />
        <EmailField label={t.email} enterKeyHint="next" inputRef={email} error={emailError} />
        <PasswordPair label={t.password} confirmLabel={t.confirm} problems={problems} />
        <Survey key={draft?.survey ? 'draft' : 'new'} initial={draft?.survey ?? []} />
        {isTrial && (
          <TextField
            name="promo"
            label={t.promo}
            optional
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="go"
            error={problems.promo}
          />
        )}
        <Button type="submit" pending={form.isPending} pendingLabel={t.pending}>
          {t.submit}
        </Button>
        <StillWorking form={form} />
        <Alternative>
          {t.haveAccount} <a {...logIn}>{t.logIn}</a>
        </Alternative>
      </form>
    </>
  );
}

/** `survey` is `null` where its answers stay as they are. */
type Draft = Omit<SignUpData, 'survey'> & { readonly survey: SignUpData['survey'] | null };

/** Returns the earlier input on a return from the code, without passwords; filled and touched fields stay. */
function useDraft(formId: string): Draft | null {
  const { visit } = useView();
  const { id: subtenantId } = useSubtenant();
  const [draft, setDraft] = useState<Draft | null>(null);
  useEffect(() => {
    const found = signUpDraft(visit, subtenantId);
    const form = document.forms.namedItem(formId);
    if (!found || !form) return;
    const choices = form.querySelectorAll<HTMLInputElement>('[type=checkbox],[name=otherText]');
    // Drawn again with its earlier answers, the survey would lose those that were given just now.
    setDraft([...choices].every(isUntouched) ? found : { ...found, survey: null });
    const fill = (name: string, text: string | null) => {
      const input = form.elements.namedItem(name);
      if (input instanceof HTMLInputElement) fillIn(input, text);
    };
    for (const [name] of NAMES) fill(name, found[name]);
    fill('email', found.email);
    fill('promo', found.promoCode);
  }, [visit, subtenantId, formId]);
  return draft;
}

function useSignUpForm(isTrial: boolean) {
  const { flow, flashMessage } = useAppContext();
  const { id: subtenantId } = useSubtenant();
  return useForm<Field>({
    id: 'sign-up',
    validate: signUpProblems,
    onRefused(problems) {
      // SUP-13; each field has the same message.
      if (isAllRequiredFailing(problems)) showToast('warning', problemTexts.allRequired);
    },
    async onSubmit(values) {
      const request = signUpRequestOf(values, subtenantId, isTrial);
      if (!request) return;
      setItem('typedEmail', request.email);
      flashMessage.set({});
      announce(t.pendingSpoken);
      await flow.send({ type: 'signUpSubmitted', request });
      const after = flow.get();
      return after.at === 'signUp' ? fieldProblem(after.problem) : {};
    },
  });
}

/**
 * Shows the form's problem. When the account exists and only its code could not be sent, "Try again" repeats only the
 * sending.
 */
function SignUpProblem() {
  const { flow } = useAppContext();
  const problem = useFlowAt('signUp')?.problem;
  return (
    <PageProblem problem={problem} form="sign-up">
      {problem?.where === 'form' && problem.canRetry && (
        <Button
          variant="secondary"
          action="sendAgain"
          onClick={() => flow.send({ type: 'sendOtpAgain' })}
        >
          {ui.tryAgain}
        </Button>
      )}
    </PageProblem>
  );
}
