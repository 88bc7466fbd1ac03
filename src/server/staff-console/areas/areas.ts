import type { FullContext } from '../../access/context.ts';
import type { Courier } from '../../notifications/courier.ts';
import type { Area } from '../console.routes.ts';
import { createDeskArea } from '../desk-area.ts';
import type { Looks } from '../looks.ts';
import type { AnswerForm } from '../answer-form.ts';
import { auditArea } from './audit.ts';
import { clientsArea } from './clients.ts';
import { devicesArea } from './devices.ts';
import { houseArea } from './house.ts';
import { createHouseForms } from './house-forms.ts';
import { invitationsArea } from './invitations.ts';
import { keysArea } from './keys.ts';
import { leadsArea } from './leads.ts';
import { limitsArea } from './limits.ts';
import { messagesArea } from './messages.ts';
import { modulesArea } from './modules.ts';
import { organisationsArea } from './organisations.ts';
import { promoCodesArea } from './promo-codes.ts';
import { signInsArea } from './sign-ins.ts';
import { createSubtenantPreview } from './subtenant-preview.ts';
import { subtenantsArea } from './subtenants.ts';
import { surveyArea } from './survey.ts';

type Deps = Parameters<typeof createSubtenantPreview>[1] &
  Parameters<typeof modulesArea>[0] & {
    readonly courier: Pick<Courier, 'channels'>;
    readonly looks: Pick<Looks, 'person' | 'list'>;
    readonly answerForm: AnswerForm;
  };

/** Creates the areas of operators, in the order of the menu. */
export function createAreas(context: FullContext, deps: Deps): readonly Area[] {
  const forms = createHouseForms(context, createSubtenantPreview(context, deps));
  const areas = [
    houseArea(context, forms),
    subtenantsArea(context, forms),
    promoCodesArea(context),
    invitationsArea(context),
    leadsArea(context),
    surveyArea(context),
    organisationsArea(context),
    clientsArea(context),
    modulesArea(deps),
    keysArea(context),
    limitsArea(context),
    devicesArea(context),
    auditArea(context),
    messagesArea(context, deps.courier),
    signInsArea(context, deps.looks),
  ];
  return areas.map((area) => createDeskArea(context, deps, area));
}
