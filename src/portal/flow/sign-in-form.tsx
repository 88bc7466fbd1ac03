import { useEffect, useRef } from 'react';
import { signIn as t } from '#texts/sign-in.ts';
import { ui } from '#texts/ui.ts';
import type { Entrance } from '#domain/people/role-routing.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { checkSignIn } from '#domain/typed/validation.ts';
import { StillWorking } from './late.tsx';
import { PageProblem } from './page-problem.tsx';
import { useLink } from './link.ts';
import { useFlowAt, useAppContext } from './app-context.ts';
import { fillIn, isUntouched } from '../lib/fill-in.ts';
import { useForm } from '../lib/form.ts';
import { type FormValues, problemTexts } from '../lib/form-values.ts';
import { getItem, removeItems, setItem } from '../lib/storage.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { ErrorSummary } from '../ui/error-summary.tsx';
import { Alternative, LinkRow } from '../ui/link-row.tsx';
import { announce } from '../ui/live-region.tsx';
import { Note } from '../ui/note.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { normalizeOnInput } from '../ui/normalize.ts';

type Field = 'email' | 'password' | 'rememberMe';

/** Number of wrong passwords after which the link to a new one is offered. */
const NUDGE_AFTER = 2;

type SignInFormProps = {
  entrance: Entrance;
  /** An address from the application's login hint. */
  email?: string | undefined;
};

/** Renders the sign-in form. */
export function SignInForm({ entrance, email: known }: SignInFormProps) {
  const { flow, flashMessage, boot } = useAppContext();
  const state = useFlowAt('signIn');
  const failures = state?.failures ?? 0;
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const forgot = useLink(pathOf('forgotPassword'));
  const signUp = useLink('/Account/SignUp');
  useEffect(() => prefillEmail(email.current), []);

  const form = useForm<Field>({
    id: 'sign-in',
    validate: (values) => problemTexts(check(values)),
    async onSubmit(values) {
      const checked = check(values);
      if (!checked.isValid) return;
      flashMessage.set({});
      rememberEmail(checked.values.email, values.text('rememberMe') !== '');
      announce(t.pendingSpoken);
      await flow.send({ type: 'signInSubmitted', ...checked.values, entrance });
      const after = flow.get();
      // Emptied only after a wrong password, so that an unsent form can be sent again.
      const isWrong = after.at === 'signIn' && after.failures > failures;
      if (isWrong && password.current) password.current.value = '';
    },
  });

  return (
    <>
      <PageProblem problem={state?.problem} form="sign-in">
        {failures >= NUDGE_AFTER && (
          <Alternative>
            <a {...forgot}>{t.forgotNudge}</a>
          </Alternative>
        )}
      </PageProblem>
      <ErrorSummary rows={form.summary} />
      <form {...form.props}>
        <TextField
          name="email"
          type="email"
          label={t.email}
          required="unmarked"
          autoComplete={boot.settings.keys ? 'username webauthn' : 'username'}
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="next"
          defaultValue={known}
          inputRef={email}
          onInput={normalizeOnInput((text) => text.trimStart())}
          error={form.problems.email}
        />
        <PasswordField
          name="password"
          label={t.password}
          required="unmarked"
          autoComplete="current-password"
          enterKeyHint="go"
          inputRef={password}
          error={form.problems.password}
        />
        <LinkRow>
          {!boot.sharedUse && (
            <Checkbox name="rememberMe" value="yes" label={t.rememberMe} hint={t.rememberHint} />
          )}
          <a {...forgot}>{ui.forgotPassword}</a>
        </LinkRow>
        <Button type="submit" pending={form.isPending} pendingLabel={t.pending}>
          {t.submit}
        </Button>
        <StillWorking form={form} />
        <Note icon="shield-check">{t.nextStep}</Note>
        {entrance === 'portal' && (
          <Alternative>
            {t.noAccount} <a {...signUp}>{t.signUp}</a>
          </Alternative>
        )}
      </form>
    </>
  );
}

const check = (values: FormValues<Field>) =>
  checkSignIn({ email: values.text('email'), password: values.text('password') });

/** Fills an empty field with the address from another screen, or with the remembered one. */
function prefillEmail(input: HTMLInputElement | null): void {
  const remembered = getItem('userName');
  const box = input?.form?.querySelector<HTMLInputElement>('[name=rememberMe]');
  if (box && remembered && isUntouched(box)) box.checked = true;
  fillIn(input, getItem('typedEmail') ?? remembered);
}

/** Remembers the address only while the box is ticked (SIN-03). */
function rememberEmail(email: string, isWanted: boolean): void {
  setItem('typedEmail', email);
  if (isWanted) setItem('userName', email);
  else removeItems('userName');
}
