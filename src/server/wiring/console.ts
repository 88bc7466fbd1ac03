import { ORIGINAL } from '#locales/languages.ts';
import { createStepUp } from '../forms/step-up.ts';
import { loadPortalBuild } from '../ssr/portal-build.ts';
import { createAreas } from '../staff-console/areas/areas.ts';
import { loadConsoleBuild } from '../staff-console/console-build.ts';
import { installConsole } from '../staff-console/console.routes.ts';
import { createConsole } from '../staff-console/console.ts';
import { createLooks } from '../staff-console/looks.ts';
import { createMailPreview } from '../staff-console/people/mail-preview.ts';
import { createVerbForms } from '../staff-console/people/verb-forms.ts';
import { createAnswerForm } from '../staff-console/answer-form.ts';
import { createFindStaff } from '../staff-console/staff.ts';
import type { Parts } from './parts.ts';

/** Creates the console's pages and forms, and installs them, where the build has a console. */
export async function installConsoleOf(parts: Parts, build: string): Promise<void> {
  const bundle = await loadConsoleBuild(build);
  if (!bundle) return;
  const portals = await loadPortalBuild(build);
  const { context, fastify, branding, subtenants, visits, signIns, stateOf } = parts;
  const { sharedDevices, otps, recipients } = parts;
  const stepUp = createStepUp(context, { otps, recipients });
  const answerForm = createAnswerForm(context, stepUp);
  const looks = createLooks(context, fastify.log);
  const areas = createAreas(context, { ...parts, ...branding, portals, answerForm, looks });
  const pages = createConsole(context, { subtenants, visits, areas, looks });
  await installConsole(fastify, {
    context,
    visits,
    subtenants,

    builds: { portal: await portals(ORIGINAL), console: bundle },
    findStaff: createFindStaff(context, {
      signIns,
      stateOf,
      sharedDevices,
      isFreshIn: stepUp.isFreshIn,
    }),
    pages,
    forms: createVerbForms(context, {
      ports: { otps, recipients, links: parts.activationLinks },
      noNotifications: parts.noNotifications,
      preview: createMailPreview(context, branding),
      pages,
      answerForm,
      looks,
    }),
    areas,
  });
}
