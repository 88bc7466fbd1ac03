import { useCallback, useEffect } from 'react';
import { SURVEY_SUBJECT_ID, type SurveyOption } from '#domain/people/survey.ts';
import { useServerState, useDeferredQuery } from '../../lib/form-actions.ts';
import { useAppContext } from '../../flow/app-context.ts';

/** Returns the options of question 213 (SUP-08). Without them the question is left out and sign-up continues. */
export function useSurveyOptions(): readonly SurveyOption[] {
  const { api } = useAppContext();
  const [options, setOptions] = useServerState<readonly SurveyOption[]>('survey', []);
  const ask = useCallback(
    async (isHere: () => boolean = () => true) => {
      const query = { formLabelId: String(SURVEY_SUBJECT_ID) };
      const result = await api.call('getSurvey', { query });
      if (isHere() && result.kind === 'ok') setOptions(result.data);
    },
    [api, setOptions],
  );
  useDeferredQuery('survey', ask);
  useEffect(() => {
    let isHere = true;
    // A no-JavaScript form has them at the server.
    ask(() => isHere).catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [ask]);
  return options;
}
