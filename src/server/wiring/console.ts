import { ORIGINAL } from '#locales/languages.ts';
import { loadConsoleBuild } from '../staff-console/console-build.ts';
import { type Area, installConsole } from '../staff-console/console.routes.ts';
import { createConsole } from '../staff-console/console.ts';
import { createLooks } from '../staff-console/looks.ts';
import { createStaffProofs } from '../staff-console/prove-staff.ts';
import { createFindStaff } from '../staff-console/staff.ts';
import { createMailPreview } from '../staff-console/people/mail-preview.ts';
import { createVerbForms } from '../staff-console/people/verb-forms.ts';
import { createStepUp } from '../my-account/step-up.ts';
import { auditArea } from '../staff-console/areas/audit.ts';
import { createDeskArea } from '../staff-console/desk-area.ts';
import { clientsArea } from '../staff-console/areas/clients.ts';
import { devicesArea } from '../staff-console/areas/devices.ts';
import { keysArea } from '../staff-console/areas/keys.ts';
import { leadsArea } from '../staff-console/areas/leads.ts';
import { limitsArea } from '../staff-console/areas/limits.ts';
import { messagesArea } from '../staff-console/areas/messages.ts';
import { modulesArea } from '../staff-console/areas/modules.ts';
import { promoCodesArea } from '../staff-console/areas/promo-codes.ts';
import { createSubtenantPreview } from '../staff-console/areas/subtenant-preview.ts';
import { subtenantsArea } from '../staff-console/areas/subtenants.ts';
import { signInsArea } from '../staff-console/areas/sign-ins.ts';
import { surveyArea } from '../staff-console/areas/survey.ts';
import type { Config } from '../config/config.ts';
import { loadPortalBuild } from '../ssr/portal-build.ts';
import type { Api } from './api.ts';
import type { Parts } from './parts.ts';

/** Assembles the console, where the build has one. */
export async function installConsoleOf(
  { core, delivery, accounts, signIn }: Parts,
  { settings, stateOf, sharedDevices }: Api,
  { build, modules }: { readonly build: string; readonly modules: Config['modules'] },
): Promise<void> {
  const bundle = await loadConsoleBuild(build);
  if (!bundle) return;
  const portals = await loadPortalBuild(build);
  const { context, visits } = core;
  const { notifications, subtenants, logos } = delivery;
  const logoOf = logos.ofMail;
  const { otps, recipients } = signIn;
  const stepUp = createStepUp(context, { otps, recipients });
  const proof = createStaffProofs(context, stepUp);
  const desk = { context, proof };
  const looks = createLooks(context, core.fastify.log);
  const preview = createSubtenantPreview(context, { portals, settings, logoOf });
  const lists = [
    subtenantsArea(context, preview),
    promoCodesArea(context),
    leadsArea(context),
    surveyArea(context),
    clientsArea(context),
    modulesArea({ config: { modules } }),
    keysArea(context),
    limitsArea(context),
    devicesArea(context),
    auditArea(context),
  ].map((area) => createDeskArea(desk, area));
  const areas: readonly Area[] = [
    ...lists,
    messagesArea(desk, delivery.courier),
    signInsArea(desk, { look: looks.person }),
  ];
  const pages = createConsole(context, {
    areas: areas.map(({ area }) => area),
    subtenants,
    formToken: visits.formToken,
    looks,
  });
  const forms = createVerbForms(context, {
    pages,
    ports: { notifications, otps, recipients, links: accounts.activationLinks },
    proof,
    preview: createMailPreview(context, { subtenantOf: subtenants.shownLately, logoOf }),
    looks,
  });
  const findStaff = createFindStaff(context, {
    signIns: signIn.signIns,
    stateOf,
    isFreshIn: stepUp.isFreshIn,
    sharedDevices,
  });
  await installConsole(core.fastify, {
    context,
    builds: { portal: await portals(ORIGINAL), console: bundle },
    findStaff,
    pages,
    forms,
    visits,
    subtenants,
    areas,
  });
}
