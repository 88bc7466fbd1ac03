import { useState } from 'react';
import { signUp as t } from '#locales/en/sign-up.ts';
import { OTHER_RESPONSE_ID } from '#domain/survey.ts';
import { OptionCards } from '../../ui/option-cards.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSurveyOptions } from './lists.ts';

const OTHER = String(OTHER_RESPONSE_ID);

/** 'How did you hear about us?': several answers; 'Other' opens a text field (SUP-08). */
export function Survey() {
  const options = useSurveyOptions();
  const [isOther, setOther] = useState(false);
  if (options.length === 0) return null;
  const other = <TextField name="otherText" label={t.other} autoComplete="off" />;
  return (
    <OptionCards
      name="survey"
      legend={t.survey}
      options={options.map(({ response, responseId }) => ({
        value: String(responseId),
        label: response,
      }))}
      onToggle={(value, isChosen) => {
        if (value === OTHER) setOther(isChosen);
      }}
      {...(isOther && { after: { value: OTHER, content: other } })}
    />
  );
}
