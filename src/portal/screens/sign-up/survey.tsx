import { useState } from 'react';
import { signUp as t } from '#texts/sign-up.ts';
import {
  OTHER_RESPONSE_ID,
  OTHER_TEXT_RESPONSE_ID,
  type SurveyAnswer,
} from '#domain/people/survey.ts';
import { useFormActions } from '../../lib/form-actions.ts';
import { OptionCards } from '../../ui/option-cards.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSurveyOptions } from './lists.ts';

const OTHER = String(OTHER_RESPONSE_ID);

/** Asks 'How did you hear about us?': several answers; 'Other' opens a text field (SUP-08). */
export function Survey({ initial }: { initial: readonly SurveyAnswer[] }) {
  const options = useSurveyOptions();
  const isDrawnByServer = useFormActions() !== null;
  const chosen = initial.map(({ responseId }) => String(responseId));
  const [isOther, setOther] = useState(chosen.includes(OTHER));
  const text = initial.find(({ responseId }) => responseId === OTHER_TEXT_RESPONSE_ID)?.text;
  const other = (
    <TextField name="otherText" label={t.other} autoComplete="off" defaultValue={text} />
  );
  const cards = (
    <OptionCards
      name="survey"
      legend={t.survey}
      defaultChosen={chosen}
      options={options.map(({ response, responseId }) => ({
        value: String(responseId),
        label: response,
      }))}
      onToggle={(value, isChosen) => {
        if (value === OTHER) setOther(isChosen);
      }}
      after={{ value: OTHER, content: other, isShown: isOther || isDrawnByServer }}
    />
  );
  // Without JavaScript it is shown from the start; with script the browser fetches it first.
  if (isDrawnByServer || options.length === 0) {
    return <noscript>{options.length > 0 && cards}</noscript>;
  }
  return cards;
}
