import type { FastifyRequest } from 'fastify';
import type { Body } from '#contract/index.ts';
import type { ServerContext } from '../core/context.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import type { SurveyAnswer } from '#domain/people/survey.ts';
import { SURVEY_SUBJECT_ID } from '#domain/people/survey.ts';
import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import type { Binder } from '../http/bind.ts';
import { requestLanguage } from '../http/request-language.ts';
import type { Visit, VisitCookie } from '../http/visit-cookie.ts';
import type { Country } from '#domain/typed/phone.ts';
import type { Settings } from './public-settings.ts';
import { surveyOptions, type Survey } from './survey.ts';

type Deps = {
  readonly survey: Survey;
  readonly settings: Settings;
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
  readonly isCaptchaNeeded: (request: FastifyRequest) => Promise<boolean>;
  readonly visits: Pick<VisitCookie, 'find'>;
  readonly signIns: {
    /** Returns the account of the bearer's complete session; `null` without one. */
    signedInAs(bearer: string | undefined, visit: Visit): Promise<number | null>;
  };
};

type Asked = { readonly request: FastifyRequest; readonly visit: Visit };

/** Binds the calls of reference data, settings and the survey. */
export function bindReference(
  bind: Binder,
  { clock, config: { countries } }: ServerContext,
  deps: Deps,
): void {
  const { survey, settings, sharedDevices, isCaptchaNeeded, visits, signIns } = deps;
  const lists = new Map<Language, Country[]>();
  bind('getCountries', async ({ request }) => {
    const language = requestLanguage(request);
    // With the plans of all countries: nothing that a server needs before the first sign-up.
    const { registrationCountries } = await import('./countries.ts');
    const list = lists.get(language) ?? [
      ...registrationCountries(countries, textsIn(language).language),
    ];
    lists.set(language, list);
    return list;
  });
  bind('getSurvey', async ({ query, request }) => {
    const asked = Number(query.formLabelId ?? SURVEY_SUBJECT_ID);
    return asked === SURVEY_SUBJECT_ID ? [...surveyOptions(requestLanguage(request))] : [];
  });
  bind('getSettings', async ({ request }) => ({
    ...settings,
    // A shared device saves no key.
    ...((await sharedDevices.isShared(request.cookies)) && { keys: undefined }),
    isCaptchaNeeded: await isCaptchaNeeded(request),
  }));
  bind('checkBrowser', async ({ request }) => ({
    hasCookie: (await visits.find(request.cookies)) !== null,
    time: clock.now().getTime(),
  }));
  bind('getFeedback', async ({ request }) => {
    const { feedback } = textsIn(requestLanguage(request));
    return [
      { quote: feedback.first, name: feedback.firstName },
      { quote: feedback.second, name: feedback.secondName },
      { quote: feedback.third, name: feedback.thirdName },
    ];
  });

  const askerOf = async ({ request, visit }: Asked) => ({
    visit,
    signedInAs: await signIns.signedInAs(request.headers.authorization, visit),
  });
  const save = async (call: Asked & { readonly body: Body<'saveSurvey'> }) =>
    survey.save(
      call.body.map((item) => Number(item.userId)),
      call.body.map(toAnswer),
      await askerOf(call),
    );
  bind('saveSurvey', save);
  bind('updateSurvey', save);
  bind('getOwnSurvey', async (call) => {
    const { params } = call;
    const answers = await survey.own(Number(params.userId), await askerOf(call));
    return answers.map((answer) => ({
      userId: params.userId,
      responseId: String(answer.responseId),
      subjectId: String(answer.subjectId),
      userSubjectDataId: '',
      subResponseData: answer.text,
    }));
  });
}

function toAnswer(item: Body<'saveSurvey'>[number]): SurveyAnswer {
  return {
    subjectId: Number(item.subjectId),
    responseId: Number(item.responseId),
    text: item.subResponseData.trim(),
  };
}
