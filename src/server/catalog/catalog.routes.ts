import type { FastifyRequest } from 'fastify';
import type { Body } from '#contract/index.ts';
import type { SurveyAnswer } from '#domain/people/survey.ts';
import { SURVEY_SUBJECT_ID } from '#domain/people/survey.ts';
import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import type { Clock } from '../clock.ts';
import type { Binder } from '../http/bind.ts';
import { requestLanguage } from '../http/request-language.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { Country } from '#domain/typed/phone.ts';
import type { Settings } from './public-settings.ts';
import { surveyOptions, type Survey } from './survey.ts';

type Deps = {
  readonly survey: Survey;
  readonly countries: readonly string[];
  /** Returns the settings of a browser: saved keys are off on a shared device. */
  readonly settingsFor: (request: FastifyRequest) => Promise<Settings>;
  readonly isCaptchaNeeded: (request: FastifyRequest) => Promise<boolean>;
  readonly hasVisit: (request: FastifyRequest) => Promise<boolean>;
  readonly clock: Clock;
  /** The account of the bearer's complete session; `null` without one. */
  readonly signedInAs: (request: FastifyRequest, visit: Visit) => Promise<number | null>;
};

type Asked = { readonly request: FastifyRequest; readonly visit: Visit };

export function bindReference(bind: Binder, deps: Deps): void {
  const { survey, countries, settingsFor, isCaptchaNeeded, hasVisit, clock, signedInAs } = deps;
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
    ...(await settingsFor(request)),
    isCaptchaNeeded: await isCaptchaNeeded(request),
  }));
  bind('checkBrowser', async ({ request }) => ({
    hasCookie: await hasVisit(request),
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
    signedInAs: await signedInAs(request, visit),
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
