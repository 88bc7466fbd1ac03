import { captcha } from '#texts/captcha.ts';
import { fields } from '#texts/fields.ts';
import { passwords as t } from '#texts/passwords.ts';
import { ui } from '#texts/ui.ts';
import { captchaProblem, type Problem } from '#domain/flow/state.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { checkEmail } from '#domain/typed/validation.ts';
import { StillWorking } from '../../flow/late.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { HelpLines } from '../../flow/help-lines.tsx';
import { useLink } from '../../flow/link.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { useForm } from '../../lib/form.ts';
import { setItem } from '../../lib/storage.ts';
import { useTypedEmail } from '../../lib/typed-email.ts';
import { Button } from '../../ui/button.tsx';
import { BackLink } from '../../ui/link-row.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { normalizeOnInput } from '../../ui/normalize.ts';
import { showToast } from '../../ui/show-toast.ts';
import { type AskOutcome, askForLink } from './ask.ts';
import { VerifyHere } from './verify-here.tsx';

type Field = 'email';

/** Renders the forgot-password form. */
export function ForgotForm({ onSent }: { onSent: (email: string, note: string | null) => void }) {
  const { api } = useAppContext();
  const { search } = useView();
  const typed = useTypedEmail();
  const back = useLink(pathOf('signIn'));
  const [problem, setProblem] = useServerState<Problem | null>('problem', null);
  const form = useForm<Field>({
    id: 'forgot-password',
    validate(values) {
      const found = checkEmail(values.text('email'));
      return found ? { email: fields[found] } : {};
    },
    async onSubmit(values) {
      const email = values.text('email').trim();
      setItem('typedEmail', email);
      const asked = await askForLink(api, email, search);
      setProblem(problemAfter(asked));
      // The answer about an address is shown at its field, with the next step in the same line.
      if (asked.kind === 'unknown') return { email: <NoAccount /> };
      if (asked.kind === 'notActive') return { email: <NotVerified email={email} /> };
      if (asked.kind === 'sent') {
        showToast('success', t.linkSent, { isSilent: true });
        onSent(email, asked.note);
      }
    },
  });

  return (
    <>
      <BackLink {...back}>{t.backToLogin}</BackLink>
      <PageHeading lead={t.forgotLead}>{ui.forgotPassword}</PageHeading>
      <PageProblem problem={problem} form="forgot-password" />
      <form {...form.props}>
        <TextField
          name="email"
          type="email"
          label={t.email}
          required="unmarked"
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          inputRef={typed}
          onInput={normalizeOnInput((text) => text.trimStart())}
          error={form.problems.email}
        />
        <Button type="submit" pending={form.isPending} pendingLabel={t.forgotPending}>
          {t.forgotSubmit}
        </Button>
        <StillWorking form={form} />
      </form>
    </>
  );
}

function problemAfter(asked: AskOutcome): Problem | null {
  if (asked.kind === 'captcha') return captchaProblem(captcha.failed);
  return asked.kind === 'failed' ? asked.problem : null;
}

function NoAccount() {
  const signUp = useLink(pathOf('signUp'));
  return (
    <>
      {t.noAccount} <a {...signUp}>{t.createAccount}</a>
      <br />
      <HelpLines />
    </>
  );
}

function NotVerified({ email }: { email: string }) {
  return (
    <>
      {t.notActive} <VerifyHere email={email} />
      <br />
      <HelpLines />
    </>
  );
}
