import { useEffect, useState } from 'react';
import { SURVEY_SUBJECT_ID, type SurveyOption } from '#domain/survey.ts';
import { useAppContext } from '../../flow/app-context.ts';

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
