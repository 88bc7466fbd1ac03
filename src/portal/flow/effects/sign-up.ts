import type { SurveyAnswer } from '#domain/people/survey.ts';
import { isAcademy } from '#domain/people/subtenants.ts';
import { toCreateUserBody } from '#contract/create-user-body.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import type { Failure } from '../../lib/api.ts';
import { isCaptchaNeeded } from '../../lib/captcha.ts';
import { captchaFailed, failureEvent } from './answer.ts';
import type { Deps, SomeHandlers } from './deps.ts';

/** Creates the account and saves the survey (SUP-15..17). */
export function signUpEffects({ api }: Deps) {
  return {
    async createUser({ request }) {
      const name = isAcademy(request.subtenantId) ? 'createAcademyUser' : 'createUser';
      const result = await api.call(name, { body: toCreateUserBody(request) });
      if (isCaptchaNeeded(result)) return captchaFailed();
      if (result.kind !== 'ok') return signUpRefusal(result);
      const { userId, id, userActivationMode } = result.data;
      return {
        type: 'userCreated',
        account: { userId, registrationId: id, email: request.email },
        mode: userActivationMode,
      };
    },
    async saveSurvey({ userId, answers }) {
      // The sign-up goes on without the answers to "How did you hear about us?".
      await api.call('saveSurvey', { body: answers.map((answer) => toSaved(userId, answer)) });
      return null;
    },
  } satisfies SomeHandlers;
}

const FIELDS = {
  INVALID_SUBTENANT: 'email',
  INVALID_PROMO: 'promo',
  PASSWORD_GUESSABLE: 'password',
  PHONE_REFUSED: 'phone',
} as const;

/** Maps a refusal (SUP-21): succeeded false is an address in use, unless the server names another reason. */
function signUpRefusal(result: Failure): FlowEvent {
  if (result.kind !== 'refused') return failureEvent(result);
  const [text = ''] = result.messages;
  const field = FIELDS[result.errorFlag as keyof typeof FIELDS];
  return field ? { type: 'fieldRefused', field, text } : { type: 'emailInUse' };
}

/** Returns the survey's answers as strings (DAT-08). */
function toSaved(userId: number, { responseId, subjectId, text }: SurveyAnswer) {
  return {
    userId: String(userId),
    responseId: String(responseId),
    subjectId: String(subjectId),
    userSubjectDataId: '',
    subResponseData: text,
  };
}
