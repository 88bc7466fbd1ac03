import { readPreferences, writePreferences } from '#domain/looks/display.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { OTHER_TEXT_MAX_LENGTH, type SurveyAnswer, surveyAnswers } from '#domain/people/survey.ts';
import { checkName } from '#domain/typed/sign-up-form.ts';
import { findAccount } from '../accounts/account-store.ts';
import { setDisplay } from '../accounts/contact-changes.ts';
import { closeAccount, keepAccount } from '../administration/close-account.ts';
import { setPerson } from '../administration/set-person.ts';
import type { Survey } from '../catalog/survey.ts';
import type { ServerContext } from '../core/context.ts';
import { randomId } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import type { Notifications } from '../notifications/notifications.ts';
import {
  type AccountForms,
  idsOf,
  problemOf,
  problemsOf,
  savedPage,
  textOf,
} from './account-page.ts';
import type { StepUp } from './step-up.ts';

type Ports = {
  readonly notifications: Pick<Notifications, 'accountNotice'>;
  readonly stepUp: Pick<StepUp, 'isFreshIn'>;
  readonly survey: Pick<Survey, 'replace'>;
};

/** Creates the forms of the person's data: name, display, survey answers, and the end of the account. */
export function createData(context: ServerContext, ports: Ports): AccountForms {
  const { db, clock } = context;
  const administration = { ...context, notifications: ports.notifications };
  return {
    /** It needs no step-up: a name opens nothing. */
    async myName({ loggedInUserId: id }, sent) {
      const typed = { firstName: textOf(sent, 'firstName'), lastName: textOf(sent, 'lastName') };
      const checked = checkName(typed);
      if (!checked.isValid) return { problems: problemsOf(checked.problems), typed };
      await db.transaction().execute(async (transaction) => {
        const own = { ...context, db: transaction };
        const outcome = await setPerson(own, id, checked.values);
        const account = await findAccount(transaction, id);
        if (outcome.kind !== 'done' || outcome.changed.length === 0 || !account) return;
        const words = { name: `${account.first_name} ${account.last_name}` };
        const notice = { kind: 'nameChanged', words } as const;
        await ports.notifications.accountNotice(transaction, account, notice, randomId());
      });
      context.outbox.wake();
      return savedPage;
    },

    async myDisplay({ loggedInUserId: id }, sent) {
      const chosen = readPreferences((name) => sent.get(name));
      await setDisplay(db, id, writePreferences(chosen), clock.now());
      return { ...savedPage, display: chosen };
    },

    async myAnswers({ loggedInUserId: id }, sent) {
      const chosen = sent.getAll('survey').map(Number);
      const answers: readonly SurveyAnswer[] = surveyAnswers(chosen, textOf(sent, 'otherText'));
      const text = answers.find((answer) => answer.text.length > OTHER_TEXT_MAX_LENGTH);
      if (text) throw new AppError('BAD_REQUEST');
      await ports.survey.replace(id, answers);
      return { page: `${pathOf('myData')}?saved=1` };
    },

    async myClosing(me, sent) {
      const { loggedInUserId: id } = me;
      if (textOf(sent, 'do') === 'keep') {
        await keepAccount(administration, id);
        context.outbox.wake();
        return savedPage;
      }
      if (!(await ports.stepUp.isFreshIn(me))) return { page: pathOf('myClosing') };
      try {
        if (!(await closeAccount(administration, idsOf(me)))) {
          return { problems: { form: { message: 'closesLater', minutes: 0 } }, typed: {} };
        }
      } catch (error) {
        return { problems: { form: problemOf(error) }, typed: {} };
      }
      context.outbox.wake();
      return { page: pathOf('accountCloses') };
    },
  };
}
