import { ORIGINAL } from '#locales/languages.ts';
import { surveyDesk as texts } from '#locales/operator/console-areas.ts';
import { consolePath } from '#domain/help-desk/console-paths.ts';
import { countSurvey, readSurvey } from '../../catalog/survey-export.ts';
import { surveyOptions } from '../../catalog/survey.ts';
import type { FullContext } from '../../access/context.ts';
import type { DeskArea } from '../desk-area.ts';
import { field } from '../form-fields.ts';
import { houseOf } from '../staff.ts';

/** Creates the operators' page of the survey: the answers of `porchlight survey export`. */
export function surveyArea(context: FullContext): DeskArea {
  const options = surveyOptions(ORIGINAL);
  return {
    area: 'survey',
    texts: texts.list,
    list: {
      isPersonal: true,
      fields: [
        field('select', 'answer', texts.answer, {
          options: [
            { value: '', label: texts.every },
            ...options.map((each) => ({ value: String(each.responseId), label: each.response })),
          ],
        }),
      ],
      async read({ typed: { answer }, offset, most, staff }) {
        const chosen = options.find(({ responseId }) => String(responseId) === answer);
        const responseId = chosen?.responseId ?? null;
        const house = houseOf(staff);
        const found = await readSurvey(context, { responseId, house, offset, most });
        const rows = found.map((each) => ({
          id: `${each.account_id} ${each.response_id} ${each.answered_at}`,
          cells: [
            {
              text: `${each.first_name} ${each.last_name}`.trim(),
              href: consolePath('people', each.account_id),
            },
            each.email,
            each.subtenant,
            each.answer === '' ? texts.ownWords : each.answer,
            each.text,
            { at: Date.parse(each.answered_at) },
          ],
        }));
        return { rows, count: await countSurvey(context.db, { responseId, house }) };
      },
    },
  };
}
