import { useEffect, useState } from 'react';
import { type Country, FIRST_COUNTRIES } from '#domain/phone.ts';
import { SURVEY_SUBJECT_ID, type SurveyOption } from '#domain/survey.ts';
import { useAppContext } from '../../flow/app-context.ts';

/** Countries for the picker (SUP-07): the first three stand until the rest is there. */
export function useCountries() {
  const { api } = useAppContext();
  const [countries, setCountries] = useState<readonly Country[]>(FIRST_COUNTRIES);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    void api.call('getCountries').then((result) => {
      if (!isCurrent) return;
      if (result.kind === 'ok') setCountries(result.data);
      setFailed(result.kind !== 'ok');
    });
    return () => {
      isCurrent = false;
    };
  }, [api, attempt]);
  return { countries, hasFailed, retry: () => setAttempt(attempt + 1) };
}

/** Options of question 213 (SUP-08). Without them the question is left out and sign-up goes on. */
export function useSurveyOptions(): readonly SurveyOption[] {
  const { api } = useAppContext();
  const [options, setOptions] = useState<readonly SurveyOption[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const query = { formLabelId: String(SURVEY_SUBJECT_ID) };
    void api.call('getSurvey', { query }).then((result) => {
      if (isCurrent && result.kind === 'ok') setOptions(result.data);
    });
    return () => {
      isCurrent = false;
    };
  }, [api]);
  return options;
}
