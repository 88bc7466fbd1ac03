import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SCREENS } from '#domain/flow/screens.ts';
import type { Pages } from './page-ports.ts';

/** Every address that is nothing else is a page; unknown ones are the 404 page, with a way on (SCR-05). */
export async function installPages(app: FastifyInstance, pages: Pages): Promise<void> {
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
