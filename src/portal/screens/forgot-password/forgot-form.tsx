import { captcha } from '#texts/captcha.ts';
import { fields } from '#texts/fields.ts';
import { passwords as t } from '#texts/passwords.ts';
import { ui } from '#texts/ui.ts';
import { captchaProblem, type Problem } from '#domain/flow/state.ts';
import type { ApiResult } from '../../lib/api.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { checkEmail } from '#domain/typed/validation.ts';
import { StillWorking } from '../../flow/late.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { HelpLines } from '../../flow/help-lines.tsx';
import { useLink } from '../../flow/link.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { callProblem } from '../../flow/problem-of.ts';
import { interactionQuery } from '../../flow/view.ts';
import { isCaptchaNeeded, withCaptcha } from '../../lib/captcha.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
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
import { VerifyHere } from './verify-here.tsx';

/** Sends the forgot-password request as specified (PWD-03, DAT-12). */
export function ForgotForm({ onSent }: { onSent: (email: string, note: string | null) => void }) {
  const { api } = useAppContext();
  const { search } = useView();
  const typed = useTypedEmail();
  const back = useLink(pathOf('signIn'));
  const [problem, setProblem] = useServerState<Problem | null>('problem', null);
  const form = useForm<'email'>({
    id: 'forgot-password',
    validate(values) {
      const found = checkEmail(values.text('email'));
      return found ? { email: fields[found] } : {};
    },
    async onSubmit(values) {
      const email = values.text('email').trim();
      setItem('typedEmail', email);
      const result = await withCaptcha(api).call('forgotPassword', {
        // The link back to the application that the visitor came from.
        query: interactionQuery(search),
        body: {
          userName: email,
          emailID: email,
          requestedIP: CLIENT_IP,
          commMedium: 'Email',
          commSendOn: email,
        },
      });
      const found = problemAfter(result);
      setProblem(found);
      if (result.kind === 'ok') {
        showToast('success', t.linkSent, { isSilent: true });
        // The time of an earlier mail, when none was sent now.
        onSent(email, result.messages[1] ?? null);
      }
      if (result.kind !== 'refused' || found) return;
      // The answer about an address is shown at its field, with the next step in the same line.
      const isInactive = result.messages[0] === 'USER_NOT_ACTIVE';
      return { email: isInactive ? <NotVerified email={email} /> : <NoAccount /> };
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

/** Returns why the request was not answered: this browser cannot do the security check, or the call failed. */
function problemAfter(result: ApiResult<unknown>): Problem | null {
  if (isCaptchaNeeded(result)) return captchaProblem(captcha.failed);
  return result.kind === 'failed' ? callProblem(result) : null;
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
