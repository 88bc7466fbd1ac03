import { checkNewPassword } from '#domain/proofs/new-password.ts';
import { findActiveAccount } from '../accounts/account-store.ts';
import { changeOwnPassword } from '../administration/change-password.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Passwords } from '../identity-provider/port.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { IsGuessable } from '../proofs/password/guessable-password.ts';
import { isOwnPassword, type PasswordCheck } from '../sign-in/password-check.ts';
import { type AccountForms, problemOf, problemsOf, savedPage, textOf } from './account-page.ts';
import type { StepUp } from './step-up.ts';

type Ports = {
  readonly passwords: Passwords;
  readonly passwordCheck: Pick<PasswordCheck, 'verify'>;
  readonly isGuessable: IsGuessable;
  readonly notifications: Pick<Notifications, 'accountNotice'>;
  readonly stepUp: Pick<StepUp, 'isFreshIn'>;
};

/** Creates the form of the password: by a fresh sign-in, or by the password of now, which counts as a try. */
export function createPassword(context: ServerContext, ports: Ports): AccountForms {
  return {
    async myPassword(me, sent, caller) {
      const { loggedInUserId: userId, signInId } = me;
      const account = await findActiveAccount(context.db, userId);
      if (!account) throw new AppError('NO_SESSION');
      const password = textOf(sent, 'password');
      const checked = checkNewPassword({
        password,
        confirmPassword: textOf(sent, 'confirmPassword'),
      });
      if (!checked.isValid) return { problems: problemsOf(checked.problems), typed: {} };
      try {
        const isProven =
          (await ports.stepUp.isFreshIn(me)) ||
          (await isOwnPassword(ports.passwordCheck, account, textOf(sent, 'current'), caller));
        if (!isProven) {
          return { problems: { current: { message: 'passwordNowWrong', minutes: 0 } }, typed: {} };
        }
        if (await ports.passwords.isCurrent(account, password, caller.ip)) {
          throw new AppError('SAME_PASSWORD');
        }
        if (await ports.isGuessable(password, account)) throw new AppError('PASSWORD_GUESSABLE');
        const setPassword = await ports.passwords.change(account, password);
        const { notifications } = ports;
        await changeOwnPassword({ ...context, notifications }, { userId, signInId }, setPassword);
      } catch (error) {
        return { problems: { password: problemOf(error) }, typed: {} };
      }
      context.outbox.wake();
      return savedPage;
    },
  };
}
