import type { Body, Data } from '#contract/index.ts';
import { fields } from '#texts/fields.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import { EMAIL_RULE, isEmail } from '#domain/typed/validation.ts';
import { ACADEMY_ROLE } from '#domain/people/roles.ts';
import { CAPTCHA_HEADER } from '#contract/routes.ts';
import type { Envelope } from '#contract/envelope.ts';
import { fromWire } from '#contract/sign-up-fields.ts';
import { setPendingLanguage } from '../accounts/account-store.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import { spokenLanguage } from '../http/request-language.ts';
import type { Binder } from '../http/bind.ts';
import type { Captcha, CaptchaCaller } from '../abuse/captcha.ts';
import type { EnumerationGuard } from '../abuse/enumeration-guard.ts';
import type { IdentityProviderAccounts } from '../identity-provider/port.ts';
import type { Subtenants } from '../subtenants/subtenants.ts';
import type { SignUps } from './sign-up.ts';
import type { SignUp, SignUpAnswer } from './sign-up-ports.ts';

type Deps = {
  readonly signUps: SignUps;
  readonly enumerationGuard: EnumerationGuard;
  readonly captcha: Captcha;
  readonly providerAccounts: Pick<IdentityProviderAccounts, 'isBeingMade'>;
  readonly subtenants: Pick<Subtenants, 'remember'>;
};

/** Binds the calls of sign-up. */
export function bindSignUp(bind: Binder, { db }: ServerContext, deps: Deps): void {
  const { signUps, enumerationGuard, captcha, providerAccounts, subtenants } = deps;
  const create = async (signUp: SignUp, caller: CaptchaCaller): Promise<SignUpAnswer> => {
    await captcha.require('signUp', caller);
    // The form discloses as much about an address as a look-up, so both share one limit (SRV-25).
    const mayDisclose = await enumerationGuard.mayDisclose(caller.visit.id, caller.ip);
    return signUps.create(signUp, caller, mayDisclose);
  };
  const answerTo = async (
    body: Body<'createUser'>,
    caller: CaptchaCaller,
  ): Promise<Envelope<Data<'createUser'>>> => {
    const signUp = fromBody(body);
    const answer =
      (await signUps.findPreviousAnswer(signUp, caller.visit)) ?? (await create(signUp, caller));
    await subtenants.remember(caller.visit.id, body.subtenantId);
    const language = spokenLanguage(caller.request);
    if (language) await setPendingLanguage(db, answer.userId, language);
    return toEnvelope(answer);
  };

  /** Copies of a running form wait for its answer: the password is hashed once. */
  const underWay = new Map<string, ReturnType<typeof answerTo>>();
  const answerOnce: typeof answerTo = (body, caller) => {
    const proof = caller.request.headers[CAPTCHA_HEADER] ?? null;
    const key = JSON.stringify([caller.visit.id, proof, body]);
    const answer =
      underWay.get(key) ?? answerTo(body, caller).finally(() => void underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };

  bind('createUser', ({ body, visit, ip, request }) => answerOnce(body, { visit, ip, request }));
  bind('createAcademyUser', async ({ body, visit, ip, request }) => {
    const isAcademyRequest = isAcademy(body.subtenantId) && body.user.roleId === ACADEMY_ROLE;
    if (!isAcademyRequest) throw new AppError('BAD_REQUEST');
    return answerOnce(body, { visit, ip, request });
  });
  bind('checkUser', async ({ params, visit, ip }) => {
    if (!isEmail(EMAIL_RULE.normalize(params.email))) return false;
    const isTruthful = await enumerationGuard.mayDisclose(visit.id, ip);
    const isKnown = await signUps.isKnown(params.email);
    // No password would be right yet: 'try again later' is better than 'incorrect' (SIN-06).
    if (isKnown && isTruthful && (await providerAccounts.isBeingMade(params.email))) {
      throw new AppError('UNAVAILABLE');
    }
    return isKnown || !isTruthful;
  });
}

/** Converts the wire's spelling to ours, in one place (WIR-04). */
function fromBody({ subtenantId, signUpPlateform, user }: Body<'createUser'>): SignUp {
  return {
    ...fromWire(user),
    subtenantId,
    signUpPlatform: signUpPlateform,
    roleId: user.roleId,
    userName: user.userName,
    password: user.password,
  };
}

/** ACTIVATE_USER is a refusal that the form shows on the email field (SUP-21). */
function toEnvelope(answer: SignUpAnswer): Envelope<Data<'createUser'>> {
  const isInUse = answer.userActivationMode === 'ACTIVATE_USER';
  return {
    succeeded: !isInUse,
    data: answer,
    messages: isInUse ? [fields.emailInUse] : [],
    errorFlag: isInUse ? 'EMAIL_IN_USE' : null,
  };
}
