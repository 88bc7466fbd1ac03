import type { FastifyInstance } from 'fastify';
import type { Boot } from '#contract/boot.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { loadConsoleBuild } from '../help-desk/console-build.ts';
import { type Area, installConsole } from '../help-desk/console.routes.ts';
import { createConsole } from '../help-desk/console.ts';
import { createLooks } from '../help-desk/looks.ts';
import { createRunVerb } from '../help-desk/run-verb.ts';
import { createStaffProofs } from '../help-desk/prove-staff.ts';
import { createFindStaff } from '../help-desk/staff.ts';
import { createPreview } from '../help-desk/tell.ts';
import { createVerbForms } from '../help-desk/verb-forms.ts';
import { createStepUp } from '../my-account/step-up.ts';
import { auditArea } from '../operator-desk/audit.ts';
import { createDeskArea } from '../operator-desk/desk-area.ts';
import { clientsArea } from '../operator-desk/clients.ts';
import { devicesArea } from '../operator-desk/devices.ts';
import { keysArea } from '../operator-desk/keys.ts';
import { leadsArea } from '../operator-desk/leads.ts';
import { limitsArea } from '../operator-desk/limits.ts';
import { messagesArea } from '../operator-desk/messages.ts';
import { modulesArea } from '../operator-desk/modules.ts';
import { promoCodesArea } from '../operator-desk/promo-codes.ts';
import { createSubtenantPreview } from '../operator-desk/subtenant-preview.ts';
import { subtenantsArea } from '../operator-desk/subtenants.ts';
import { signInsArea } from '../operator-desk/sign-ins.ts';
import { surveyArea } from '../operator-desk/survey.ts';
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
  const verbs = createRunVerb(context, {
    notifications,
    otps,
    recipients,
    links: accounts.activationLinks,
  });
  const forms = createVerbForms(context, {
    pages,
    verbs,
    proof,
    preview: createPreview(context, { subtenantOf: subtenants.shownLately, logoOf }),
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
