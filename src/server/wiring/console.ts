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
import { loadPortalBuild, type PortalBuilds } from '../ssr/portal-build.ts';
import type { Parts } from './parts.ts';

/** Creates the console's pages and forms, and installs them, where the build has a console. */
export async function installConsoleOf(parts: Parts, build: string): Promise<void> {
  const bundle = await loadConsoleBuild(build);
  if (!bundle) return;
  const portals = await loadPortalBuild(build);
  const { context, fastify, visits, subtenants } = parts;
  const stepUp = createStepUp(context, parts);
  const proof = createStaffProofs(context, stepUp);
  const looks = createLooks(context, fastify.log);
  const desk = { context, proof };
  const areas: readonly Area[] = [
    ...createLists(parts, portals).map((area) => createDeskArea(desk, area)),
    messagesArea(desk, parts.courier),
    signInsArea(desk, { look: looks.person }),
  ];
  const pages = createConsole(context, {
    areas: areas.map(({ area }) => area),
    subtenants,
    formToken: visits.formToken,
    looks,
  });
  await installConsole(fastify, {
    ...parts,
    builds: { portal: await portals(ORIGINAL), console: bundle },
    findStaff: createFindStaff(context, { ...parts, isFreshIn: stepUp.isFreshIn }),
    pages,
    forms: createForms(parts, { pages, proof, looks }),
    areas,
  });
}

/** Creates the lists of operators, in the order of the menu. */
function createLists({ context, settings, logos, modules }: Parts, portals: PortalBuilds) {
  const preview = createSubtenantPreview(context, { portals, settings, logoOf: logos.ofMail });
  return [
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
  ];
}

/** Creates the forms of the verbs on a person, with the preview of their mails. */
function createForms(
  { context, notifications, otps, recipients, activationLinks, subtenants, logos }: Parts,
  of: Pick<Parameters<typeof createVerbForms>[1], 'pages' | 'proof' | 'looks'>,
) {
  return createVerbForms(context, {
    ...of,
    ports: { notifications, otps, recipients, links: activationLinks },
    preview: createMailPreview(context, {
      subtenantOf: subtenants.shownLately,
      logoOf: logos.ofMail,
    }),
  });
}
