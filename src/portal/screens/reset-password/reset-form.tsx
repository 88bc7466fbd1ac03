import { lazy, Suspense, use, useRef } from 'react';
import type { Data } from '#contract/index.ts';
import { captcha } from '#texts/captcha.ts';
import { passwordDone } from '#texts/password-done.ts';
import { passwords as t } from '#texts/passwords.ts';
import { INTERACTION_QUERY, pathOf } from '#domain/flow/screens.ts';
import { captchaProblem, type Problem } from '#domain/flow/state.ts';
import { PageProblem } from '../../flow/page-problem.tsx';
import { NewPasswordForm } from '../../flow/new-password-form.tsx';
import { callProblem } from '../../flow/problem-of.ts';
import {
  type OrganisationButtonsProps,
  ServerParts,
  useAppContext,
  useView,
} from '../../flow/app-context.ts';
import {
  isCaptchaNeeded,
  type SolvedCaptcha,
  solveCaptcha,
  withCaptcha,
} from '../../lib/captcha.ts';
import { CLIENT_IP } from '../../lib/client-ip.ts';
import { useServerState } from '../../lib/form-actions.ts';
import { useForm } from '../../lib/form.ts';
import { newPasswordProblems, type NewPasswordField } from '../../lib/new-password.ts';
import { announce } from '../../ui/live-region.tsx';
import { showToast } from '../../ui/show-toast.ts';

export type ResetUser = NonNullable<Data<'getResetUser'>>;

/** History state of the page after a new password (PWD-09), and after the first one. */
const RESET_PASSWORD = { state: 'Reset' } as const;
const FIRST_PASSWORD = { done: 'passwordSet', state: 'Set' } as const;

/** Texts of PWD-08, by status; 409 is the old password again. */
const BY_STATUS: Readonly<Record<number, string>> = {
  400: t.status400,
  401: t.status401,
  404: t.status404,
};

/** Only an invitation of an organisation's person loads them, as on the sign-in page. */
const Buttons = import.meta.env.SSR
  ? ButtonsOfServer
  : lazy(async () => ({
      default: (await import('../../flow/organisation-buttons.tsx')).OrganisationButtons,
    }));

function ButtonsOfServer(props: OrganisationButtonsProps) {
  const { OrganisationButtons } = use(ServerParts);
  return OrganisationButtons && <OrganisationButtons {...props} />;
}

/** Renders the form for the new password. */
export function ResetForm({ user }: { user: ResetUser }) {
  const { api, go, leave } = useAppContext();
  const { path, search } = useView();
  const check = useSecurityCheck();
  const [problem, setProblem] = useServerState<Problem | null>('problem', null);
  const form = useForm<NewPasswordField>({
    id: 'reset-password',
    address: path + search,
    validate: newPasswordProblems,
    async onSubmit(values) {
      setProblem(null);
      const { userId, userName, hostedUserId, forgotPasswordId, isFirst, request } = user;
      const solution = await check.take();
      const result = await withCaptcha(api).call('updatePassword', {
        ...solution,
        body: {
          userName,
          userId,
          hostedUserId,
          password: values.text('password'),
          accessIP: CLIENT_IP,
          forgotPasswordId,
        },
      });
      if (result.kind === 'ok') {
        const done = pathOf('passwordDone');
        // The server knows the application that the visitor came from: it renders the page.
        if (request) leave(`${done}?${INTERACTION_QUERY}=${request}`);
        else {
          const said = isFirst ? passwordDone.created : passwordDone.changed;
          const onShown = () => showToast('success', said);
          go(done, { state: isFirst ? FIRST_PASSWORD : RESET_PASSWORD, onShown });
        }
        return;
      }
      const unsent = result.kind === 'failed' ? callProblem(result) : null;
      if (unsent?.where === 'offline') return setProblem(unsent);
      check.refresh();
      if (isCaptchaNeeded(result)) {
        setProblem(captchaProblem(captcha.failed));
        return;
      }
      if (result.errorFlag === 'SAME_PASSWORD') return { password: t.samePassword };
      // The server's own text.
      if (result.kind === 'refused') return { password: result.messages[0] ?? t.statusOther };
      const status = result.kind === 'failed' ? result.status : 0;
      const text = BY_STATUS[status] ?? t.statusOther;
      setProblem({ where: 'form', say: { text }, canRetry: false });
    },
  });
  return (
    <>
      <PageProblem problem={problem} form="reset-password" />
      {user.organisations && (
        <Suspense>
          <Buttons of={user.organisations} invitation={user.forgotPasswordId} />
        </Suspense>
      )}
      <NewPasswordForm form={form} userName={user.email} />
    </>
  );
}

/** Solves a new captcha after every failure (PWD-08), so that the next try carries its solution. */
function useSecurityCheck() {
  const { api } = useAppContext();
  const running = useRef<Promise<SolvedCaptcha> | null>(null);
  return {
    refresh(): void {
      const solving = solveCaptcha(api, 'resetPassword');
      running.current = solving;
      void solving.then(({ kind }) => {
        if (kind === 'ok') announce(t.securityRefreshed);
      });
    },
    /** Returns the headers of the next try; without a solution the server asks for one where it needs it. */
    async take(): Promise<{ readonly headers?: Readonly<Record<string, string>> }> {
      const solved = await running.current;
      running.current = null;
      return solved?.kind === 'ok' ? { headers: solved.data } : {};
    },
  };
}
