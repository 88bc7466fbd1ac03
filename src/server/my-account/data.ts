import { readPreferences, writePreferences } from '#domain/looks/display.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { OTHER_TEXT_MAX_LENGTH, type SurveyAnswer, surveyAnswers } from '#domain/people/survey.ts';
import { setDisplay } from '../accounts/contact-changes.ts';
import { closeAccount, keepAccount } from '../administration/close-account.ts';
import type { Survey } from '../catalog/survey.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { type AccountForms, idsOf, savedPage, problemOf, textOf } from './account-page.ts';
import type { StepUp } from './step-up.ts';

type Ports = {
  readonly notifications: Pick<Notifications, 'accountNotice'>;
  readonly stepUp: Pick<StepUp, 'isFreshIn'>;
  readonly survey: Pick<Survey, 'replace'>;
};

/** Creates the forms of the person's data: display, survey answers, and the end of the account. */
export function createData(context: ServerContext, ports: Ports): AccountForms {
  const { db, clock } = context;
  const administration = { ...context, notifications: ports.notifications };
  return {
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
