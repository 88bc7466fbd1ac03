import { useState } from 'react';
import { appPassword as t } from '#texts/app-password.ts';
import { GENERAL, limitProblem, OFFLINE, type Problem } from '#domain/flow/state.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useAppContext, useView } from '../../flow/app-context.ts';
import { handOffUrl, sealPassword, wanted } from '../../flow/app-password.ts';
import { failureEvent } from '../../flow/effects/answer.ts';
import { PageProblem } from '../../flow/page-problem.tsx';
import { StillWorking } from '../../flow/late.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import type { Failure } from '../../lib/api.ts';
import { useForm } from '../../lib/form.ts';
import { leave } from '../../lib/leave.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

/** Asks for the password that an app takes beside the sign-in by key, or goes on without (HND-05). */
function AppPassword() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const goOn = useHandOff();
  const { api } = useAppContext();
  const form = useForm<'password'>({
    id: 'app-password',
    validate: (values): { password?: string } =>
      values.text('password') ? {} : { password: t.empty },
    async onSubmit(values) {
      setProblem(null);
      const password = values.text('password');
      const checked = await api.call('checkPassword', { body: { password } });
      if (checked.kind !== 'ok') return setProblem(passwordProblem(checked));
      if (checked.data === null) return { password: t.notYours };
      await sealPassword(checked.data.sealedModules, password, checked.data.appState);
      return goOn();
    },
  });
  return (
    <>
      <PageHeading lead={t.appLead}>{t.appTitle}</PageHeading>
      <PageProblem problem={problem} form="app-password" />
      <form {...form.props}>
        <PasswordField
          name="password"
          label={t.current}
          required="unmarked"
          autoComplete="current-password"
          enterKeyHint="go"
          error={form.problems.password}
        />
        <Button type="submit" pending={form.isPending} pendingLabel={t.opening}>
          {t.open}
        </Button>
        <StillWorking form={form} />
        <Button variant="secondary" wide onClick={goOn}>
          {t.openWithout}
        </Button>
        <Note icon="info">{t.withoutIt}</Note>
      </form>
    </>
  );
}

/** Returns what opens the app. After a reload, or a refusal, the processing screen knows what comes next. */
function useHandOff(): () => Promise<void> {
  const { api } = useAppContext();
  const { entrance } = useView();
  return async () => {
    const handOff = wanted.get();
    const result =
      handOff && (await api.call('issueHandoff', { body: { ...handOff, isAsked: true } }));
    leave(result?.kind === 'ok' ? handOffUrl(result.data) : pathOf('redirect', entrance));
  };
}

function passwordProblem(failed: Failure): Problem {
  const event = failureEvent(failed);
  if (event.type === 'limited') return limitProblem(event.minutes);
  return event.type === 'offline' ? OFFLINE : GENERAL;
}

export const screen: ScreenModule = {
  title: () => t.appTitle,
  View: AppPassword,
  panel: () => ({ title: t.panelTitle, text: t.panelText }),
  thing: 'key',
};
