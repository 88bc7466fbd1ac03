import { checkNewPassword } from '#domain/proofs/new-password.ts';
import { readPreferences, writePreferences } from '#domain/looks/display.ts';
import { pathOf } from '#domain/flow/screens.ts';
import { OTHER_TEXT_MAX_LENGTH, type SurveyAnswer, surveyAnswers } from '#domain/people/survey.ts';
import { checkName } from '#domain/typed/sign-up-form.ts';
import { findAccount, findActiveAccount } from '../accounts/account-store.ts';
import { setDisplay } from '../accounts/account-changes.ts';
import { changeOwnPassword } from './change-password.ts';
import { closeAccount, keepAccount } from '../people/close-account.ts';
import { whileFresh } from '../access/freshness.ts';
import { removePasskey } from '../access/passkeys.ts';
import { endOtherSessions, signOut } from '../access/sessions.ts';
import { setPerson } from '../people/set-person.ts';
import type { Survey } from '../catalog/survey.ts';
import type { FullContext } from '../access/context.ts';
import { randomId } from '../crypto/secret-box.ts';
import { AppError } from '../http/app-error.ts';
import type { Passwords } from '../identity-provider/port.ts';
import type { IsGuessable } from '../proofs/password/guessable-password.ts';
import { isOwnPassword, type PasswordCheck } from '../sign-in/password-check.ts';
import type { Consents } from '../identity-provider/oauth-clients/consents.ts';
import { type AccountForms, idsOf, problemsOf, savedPage, textOf } from '../forms/account-page.ts';
import type { StepUp } from '../forms/step-up.ts';

type Ports = {
  readonly passwords: Passwords;
  readonly passwordCheck: Pick<PasswordCheck, 'verify'>;
  readonly isGuessable: IsGuessable;
  readonly survey: Pick<Survey, 'replace'>;
  readonly stepUp: Pick<StepUp, 'isFreshIn'>;
  /** `null` with an Auth0 tenant, which keeps consents itself. */
  readonly consents: Pick<Consents, 'revoke'> | null;
};

/** Creates the forms of what is the person's own: name, password, display, answers, sessions, apps, keys, the end. */
export function createOwnForms(context: FullContext, ports: Ports): AccountForms {
  const { db, clock, notifications } = context;
  return {
    /** It needs no step-up: a name opens nothing. */
    myName: {
      keeps: ['firstName', 'lastName'],
      async run({ loggedInUserId: id }, sent) {
        const checked = checkName({
          firstName: textOf(sent, 'firstName'),
          lastName: textOf(sent, 'lastName'),
        });
        if (!checked.isValid) return { problems: problemsOf(checked.problems) };
        await db.transaction().execute(async (transaction) => {
          const outcome = await setPerson({ ...context, db: transaction }, id, checked.values);
          const account = await findAccount(transaction, id);
          if (outcome.kind !== 'done' || outcome.changed.length === 0 || !account) return;
          const words = { name: `${account.first_name} ${account.last_name}` };
          const notice = { kind: 'nameChanged', words } as const;
          await notifications.accountNotice(transaction, account, notice, randomId());
        });
        return savedPage;
      },
    },

    myDisplay: {
      async run({ loggedInUserId: id }, sent) {
        const chosen = readPreferences((name) => sent.get(name));
        await setDisplay(db, id, writePreferences(chosen), clock.now());
        return { ...savedPage, display: chosen };
      },
    },

    myAnswers: {
      async run({ loggedInUserId: id }, sent) {
        const chosen = sent.getAll('survey').map(Number);
        const answers: readonly SurveyAnswer[] = surveyAnswers(chosen, textOf(sent, 'otherText'));
        const text = answers.find((answer) => answer.text.length > OTHER_TEXT_MAX_LENGTH);
        if (text) throw new AppError('BAD_REQUEST');
        await ports.survey.replace(id, answers);
        return { page: `${pathOf('myData')}?saved=1` };
      },
    },

    /** By a fresh sign-in, or by the password of now, which counts as a try. */
    myPassword: {
      refusedAt: 'password',
      async run(me, sent, caller) {
        const account = await findActiveAccount(db, me.loggedInUserId);
        if (!account) throw new AppError('NO_SESSION');
        const password = textOf(sent, 'password');
        const checked = checkNewPassword({
          password,
          confirmPassword: textOf(sent, 'confirmPassword'),
        });
        if (!checked.isValid) return { problems: problemsOf(checked.problems) };
        const isProven =
          (await ports.stepUp.isFreshIn(me)) ||
          (await isOwnPassword(ports.passwordCheck, account, textOf(sent, 'current'), caller));
        if (!isProven) return { problems: problemsOf({ current: 'passwordNowWrong' }) };
        if (await ports.passwords.isCurrent(account, password, caller.ip)) {
          throw new AppError('SAME_PASSWORD');
        }
        if (await ports.isGuessable(password, account)) throw new AppError('PASSWORD_GUESSABLE');
        const setPassword = await ports.passwords.change(account, password);
        await changeOwnPassword(context, idsOf(me), setPassword);
        return savedPage;
      },
    },

    myDevices: {
      asksProof: () => true,
      async run(me, sent) {
        const which = textOf(sent, 'session');
        await whileFresh(context, idsOf(me), async (own, account) => {
          const { signInId } = me;
          const inOwn = { ...context, db: own };
          if (which === 'others') await endOtherSessions(inOwn, account.id, signInId);
          else if (which !== signInId) await signOut(inOwn, account, which);
        });
        return { page: pathOf('myDevices') };
      },
    },

    myApps: {
      async run(me, sent) {
        await ports.consents?.revoke(me.loggedInUserId, textOf(sent, 'client'));
        return { page: pathOf('myApps') };
      },
    },

    /** Removes a passkey. Saving one needs the browser's script (`passkeys.routes.ts`). */
    myKeys: {
      asksProof: () => true,
      async run(me, sent) {
        const page = pathOf('myKeys');
        const name = await whileFresh(context, idsOf(me), (own) =>
          removePasskey({ ...context, db: own }, me.loggedInUserId, textOf(sent, 'key')),
        );
        return { page: name === null ? page : `${page}?removed=1` };
      },
    },

    myClosing: {
      asksProof: (sent) => textOf(sent, 'do') !== 'keep',
      refusedAt: 'form',
      async run(me, sent) {
        if (textOf(sent, 'do') === 'keep') {
          await keepAccount(context, me.loggedInUserId);
          return savedPage;
        }
        const isClosing = await closeAccount(context, idsOf(me));
        return isClosing
          ? { page: pathOf('accountCloses') }
          : { problems: problemsOf({ form: 'closesLater' }) };
      },
    },
  };
}
