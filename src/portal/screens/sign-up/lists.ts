import { useEffect, useState } from 'react';
import { SURVEY_SUBJECT_ID, type SurveyOption } from '#domain/people/survey.ts';
import { useAppContext } from '../../flow/app-context.ts';

/**
 * Returns the options of question 213 (SUP-08). The page of sign-up has them; reached from another page, they are
 * fetched. Without them the question is left out and sign-up continues.
 */
export function useSurveyOptions(): readonly SurveyOption[] {
  const { api, boot } = useAppContext();
  const [options, setOptions] = useState(boot.survey ?? []);
  const isUnknown = options.length === 0;
  useEffect(() => {
    if (!isUnknown) return;
    let isHere = true;
    const ask = async () => {
      const query = { formLabelId: String(SURVEY_SUBJECT_ID) };
      const result = await api.call('getSurvey', { query });
      if (isHere && result.kind === 'ok') setOptions(result.data);
    };
    ask().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [api, isUnknown]);
  return options;
}
