import { myAccount } from '#texts/my-account.ts';
import { surveyForm } from '#texts/survey.ts';
import {
  OTHER_RESPONSE_ID,
  OTHER_TEXT_RESPONSE_ID,
  SURVEY_SUBJECT_ID,
} from '#domain/people/survey.ts';
import { AccountPage, accountPanel, useAccount } from '../../flow/account.tsx';
import type { ScreenModule } from '../../flow/view.ts';
import { OptionCards } from '../../ui/option-cards.tsx';
import { NativeForm, Submit } from '../../ui/submit.tsx';
import { TextField } from '../../ui/text-field.tsx';

const t = myAccount.data;

/** Changes the answers of the sign-up. */
function MyAnswers() {
  const account = useAccount();
  if (!account) return null;
  const chosen = account.answers
    .filter(({ subjectId }) => subjectId === SURVEY_SUBJECT_ID)
    .map(({ responseId }) => String(responseId));
  const other = account.answers.find(({ responseId }) => responseId === OTHER_TEXT_RESPONSE_ID);
  return (
    <AccountPage title={t.answers} lead={t.answersValue}>
      <NativeForm id="answers">
        <OptionCards
          name="survey"
          legend={surveyForm.question}
          defaultChosen={chosen}
          options={account.surveyOptions.map(({ response, responseId }) => ({
            value: String(responseId),
            label: response,
          }))}
          after={{
            value: String(OTHER_RESPONSE_ID),
            content: (
              <TextField
                name="otherText"
                label={surveyForm.more}
                autoComplete="off"
                defaultValue={other?.text}
              />
            ),
          }}
        />
        <Submit>{myAccount.save}</Submit>
      </NativeForm>
    </AccountPage>
  );
}

export const screen: ScreenModule = {
  title: () => t.answers,
  View: MyAnswers,
  panel: accountPanel,
};
