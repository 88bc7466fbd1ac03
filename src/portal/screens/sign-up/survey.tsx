import { surveyForm as t } from '#texts/survey.ts';
import {
  OTHER_RESPONSE_ID,
  OTHER_TEXT_RESPONSE_ID,
  type SurveyAnswer,
} from '#domain/people/survey.ts';
import { OptionCards } from '../../ui/option-cards.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSurveyOptions } from './lists.ts';

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
