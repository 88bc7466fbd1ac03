import { useEffect, useState } from 'react';
import { surveyForm as t } from '#texts/survey.ts';
import {
  OTHER_RESPONSE_ID,
  OTHER_TEXT_RESPONSE_ID,
  SURVEY_SUBJECT_ID,
  type SurveyAnswer,
} from '#domain/people/survey.ts';
import { useAppContext } from '../../flow/app-context.ts';
import { OptionCards } from '../../ui/option-cards.tsx';
import { TextField } from '../../ui/text-field.tsx';

/** Asks 'How did you hear about us?': several answers; 'Other' opens a text field (SUP-08). */
export function Survey({ initial }: { initial: readonly SurveyAnswer[] }) {
  const options = useSurveyOptions();
  if (options.length === 0) return null;
  const text = initial.find(({ responseId }) => responseId === OTHER_TEXT_RESPONSE_ID)?.text;
  return (
    <OptionCards
      name="survey"
      legend={t.question}
      defaultChosen={initial.map(({ responseId }) => String(responseId))}
      options={options.map(({ response, responseId }) => ({
        value: String(responseId),
        label: response,
      }))}
      after={{
        value: String(OTHER_RESPONSE_ID),
        content: (
          <TextField name="otherText" label={t.more} autoComplete="off" defaultValue={text} />
        ),
      }}
    />
  );
}

/**
 * Returns the options of question 213 (SUP-08). The page of sign-up has them; reached from another page, they are
 * fetched. Without them the question is left out and sign-up continues.
 */
function useSurveyOptions() {
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
