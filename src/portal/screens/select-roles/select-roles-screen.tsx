import { roles as t } from '#texts/roles.ts';
import { roleChoices } from '#domain/people/role-routing.ts';
import { isOffered, maySwitch } from '#domain/people/counter-mode.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { useLink } from '../../flow/link.ts';
import { fieldProblem } from '../../flow/form-problem.tsx';
import { PageProblem } from '../../flow/page-problem.tsx';
import { HelpLines } from '../../flow/help-lines.tsx';
import { useFlowAt, useAppContext } from '../../flow/app-context.ts';
import type { ScreenModule } from '../../flow/view.ts';
import { useForm } from '../../lib/form.ts';
import { Button } from '../../ui/button.tsx';
import { Alternative } from '../../ui/link-row.tsx';
import { announce } from '../../ui/live-region.tsx';
import { MemberCard } from '../../ui/member-card.tsx';
import { OptionCards } from '../../ui/option-cards.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { roleChoice, roleOptions } from './role-options.ts';

/** Chooses one of several roles, each with its app (ROL-01..06). */
function SelectRoles() {
  const state = useFlowAt('selectRole');
  const out = useLink(pathOf('signOut'));
  const { boot, flow } = useAppContext();
  const { sharedUse, settings } = boot;
  const choices = roleChoices(state?.login.roles.map((role) => role.roleId) ?? []).filter(
    (choice) => !sharedUse || isOffered(choice, sharedUse),
  );
  const form = useForm<'role'>({
    id: 'roles',
    async onSubmit(values) {
      const choice = roleChoice(values.text('role'));
      if (choice) announce(t.pending);
      await flow.send({ type: 'choiceSubmitted', choice });
      const after = flow.get();
      return after.at === 'selectRole' ? fieldProblem(after.problem) : {};
    },
  });
  return (
    <>
      <PageHeading>{t.title}</PageHeading>
      {state && <MemberCard name={state.login.memberName} email={state.login.userName} />}
      <PageProblem problem={state?.problem} form="roles" />
      {state && choices.length > 0 ? (
        <form {...form.props}>
          <OptionCards
            name="role"
            type="radio"
            legend={t.legend}
            options={roleOptions(choices, state.login)}
            error={form.problems.role}
          />
          <Button type="submit" pending={form.isPending} pendingLabel={t.pending}>
            {t.submit}
          </Button>
        </form>
      ) : (
        <p>
          {t.none} <HelpLines />
        </p>
      )}
      <Alternative>
        <a href={pathOf('myAccount')}>{t.myAccount}</a>
      </Alternative>
      {settings.hostedLogin.endsWithApi &&
        state &&
        maySwitch(state.login.roles.map(({ roleId }) => roleId)) && (
          <Alternative>
            <a href={pathOf('sharedDevice')}>{sharedUse ? t.stopSharing : t.shareDevice}</a>
          </Alternative>
        )}
      <Alternative>
        <a {...out}>{t.signOut}</a>
      </Alternative>
    </>
  );
}

export const screen: ScreenModule = { title: () => t.title, View: SelectRoles };
