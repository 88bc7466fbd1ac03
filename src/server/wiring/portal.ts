import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { COUNTER_PATHS } from '#domain/people/counter-mode.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { setLanguage } from '../accounts/account-store.ts';
import { surveyOptions } from '../catalog/survey.ts';
import { refuseUnknown } from '../http/errors.ts';
import { createPages } from '../ssr/pages.ts';
import type { Pages } from '../ssr/page-ports.ts';
import { installPages } from '../ssr/install-pages.ts';
import { loadPortalBuild } from '../ssr/portal-build.ts';
import { type FindLogo, installStaticFiles } from '../ssr/static-files.ts';
import type { Api } from './api.ts';
import type { Parts } from './parts.ts';

type PagesDeps = Omit<Parameters<typeof createPages>[0], 'buildFor'>;

/** Installs the built portal on what the server knows. */
export function installPortalOf(
  { core, delivery, signIn }: Parts,
  api: Api,
  build: string,
): Promise<Pages> {
  const { context, visits, isDemo } = core;
  const { db, clock, config } = context;
  const { signIns, identityProvider } = signIn;
  const { host, origin } = new URL(config.publicUrl);
  return installPortal(
    core.fastify,
    { build, findLogo: delivery.logos.find },
    {
      ...api,
      db,
      clock,
      hours: config.helpHours,
      canonicalHost: isDemo ? host : null,
      origin,
      surveyOptions,
      async speakerOf(visit) {
        const found = await signIns.currentWithAccount(visit);
        const { id, language = null } = found?.account ?? {};
        return found?.attempt.stage === 'complete' && id ? { id, language } : null;
      },
      isDemo,
      keepAccountLanguage: (userId, language) => setLanguage(db, userId, language),
      formToken: visits.formToken,
      isOwnXsrf: visits.isOwnXsrf,
      beginVisit: visits.ensure,
      visitTokenIn: visits.tokenIn,
      findVisit: signIns.findVisit,
      rememberSubtenant: delivery.subtenants.remember,
      subtenantFor: delivery.subtenants.shownLately,
      providerOrigins: identityProvider.origins,
    },
  );
}

/** The built portal: its files and its pages. */
export async function installPortal(
  fastify: FastifyInstance,
  { build, findLogo }: { readonly build: string; readonly findLogo: FindLogo },
  deps: PagesDeps,
): Promise<Pages> {
  const buildFor = await loadPortalBuild(build);
  const { counterScript } = await buildFor(ORIGINAL);
  fastify.get(COUNTER_PATHS.script, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(counterScript()),
  );
  installStaticFiles(fastify, { client: join(build, 'client'), findLogo });
  const pages = createPages({ buildFor, ...deps });
  await installPages(fastify, pages);
  fastify.setNotFoundHandler((request, reply) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && !isMachinePath(request.url);
    return isPage ? pages.answer(request, reply) : refuseUnknown(fastify, request, reply);
  });
  return pages;
}

/** Paths that programs ask for get an envelope, not a page. */
function isMachinePath(url: string): boolean {
  return /^\/(api|idp|assets|logos|dev|demo)(\/|\?|$)/i.test(url);
}
