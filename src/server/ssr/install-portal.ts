import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COUNTER_PATHS } from '#domain/people/counter-mode.ts';
import { SCREENS } from '#domain/flow/screens.ts';
import { ORIGINAL } from '#locales/languages.ts';
import { refuseUnknown } from '../http/errors.ts';
import type { Deps } from './page-ports.ts';
import { createPages, type Pages } from './pages.ts';
import { loadPortalBuild } from './portal-build.ts';
import { type FindLogo, installStaticFiles } from './static-files.ts';

/** Installs the built portal: its files and its pages. */
export async function installPortal(
  fastify: FastifyInstance,
  { build, findLogo }: { readonly build: string; readonly findLogo: FindLogo },
  deps: Omit<Deps, 'buildFor'>,
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
  const pages = createPages({ ...deps, buildFor });
  await installPages(fastify, pages);
  fastify.setNotFoundHandler((request, reply) => {
    const isPage = ['GET', 'HEAD'].includes(request.method) && !isMachinePath(request.url);
    return isPage ? pages.answer(request, reply) : refuseUnknown(fastify, request, reply);
  });
  return pages;
}

/** Every address that is nothing else is a page; unknown ones are the 404 page, with a way on (SCR-05). */
async function installPages(app: FastifyInstance, pages: Pages): Promise<void> {
  app.get('/', (request, reply) => pages.answer(request, reply));
  // Forms have their own door: elsewhere JSON is the only type that is read (security D33).
  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => text,
    );
    const paths = new Set(Object.values(SCREENS).flatMap((screen) => screen.paths));
    for (const path of paths) forms.post(path, (request, reply) => pages.submit(request, reply));
  });
}

/** Paths that programs ask for get an envelope, not a page. */
function isMachinePath(url: string): boolean {
  return /^\/(api|idp|assets|logos|dev|demo)(\/|\?|$)/i.test(url);
}
