import type { FastifyInstance } from 'fastify';
import type { Boot } from '#contract/boot.ts';
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
import type { SharedDevices } from '../counter/shared-devices.ts';
import { loadPortalBuild } from '../ssr/portal-build.ts';
import type { Accounts } from './accounts.ts';
import type { Core } from './core.ts';
import type { Delivery } from './delivery.ts';
import type { SignIn } from './sign-in.ts';

type Parts = {
  readonly core: Core;
  readonly delivery: Delivery;
  readonly accounts: Accounts;
  readonly signIn: SignIn;
  readonly build: string;
  readonly settings: Boot['settings'];
  readonly modules: Parameters<typeof modulesArea>[0]['config']['modules'];
  readonly sharedDevices: SharedDevices;
  readonly stateOf: Parameters<typeof createFindStaff>[1]['stateOf'];
};

/** Assembles the console, where the build has one. */
export async function installConsoleOf(
  app: FastifyInstance,
  { core, delivery, accounts, signIn, build, settings, modules, stateOf, sharedDevices }: Parts,
): Promise<void> {
  const bundle = await loadConsoleBuild(build);
  if (!bundle) return;
  const portals = await loadPortalBuild(build);
  const { context, visits } = core;
  const { notifications, subtenants, logoOf } = delivery;
  const { otps, recipients } = signIn;
  const stepUp = createStepUp(context, { otps, recipients });
  const proof = createStaffProofs(context, stepUp);
  const desk = { context, proof };
  const looks = createLooks(context, app.log);
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
    findVisit: (cookieHeader) =>
      signIn.signIns.findVisit((read) => visits.findByHeader(cookieHeader, read)),
    stateOf,
    isFreshIn: stepUp.isFreshIn,
  });
  await installConsole(app, {
    context,
    builds: { portal: await portals(ORIGINAL), console: bundle },
    // Its pages show other people: it is not on a device that others use next.
    findStaff: async (cookieHeader, isFollowing) =>
      (await sharedDevices.isShared(cookieHeader))
        ? 'sharedDevice'
        : findStaff(cookieHeader, isFollowing),
    pages,
    forms,
    visits,
    subtenants,
    areas,
  });
}
