import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '#locales/languages.ts';
import { PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { requestLanguage } from '../http/request-language.ts';

type Answer = {
  readonly status: number;
  readonly html?: string;
  readonly location?: string;
  readonly cookie?: { readonly name: string; readonly value: string };
};

type SubApp = {
  answer(request: {
    module: string;
    page: string;
    query: URLSearchParams;
    cookies: Readonly<Record<string, string | undefined>>;
    language: Language;
  }): Promise<Answer>;
};

/** Serves the styles of the demo's third party, which has none of the portal's. */
export function installGardenClubCss(app: FastifyInstance, css: string): void {
  app.get('/demo/garden-club.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(css),
  );
}

/** Mounts the demo modules at /demo/<module> (HND-06); the third party is an app of its own among them. */
export function installDemoModules(
  app: FastifyInstance,
  subApp: SubApp,
  isHttps: boolean,
  at: '/demo/:module' | '/demo/relying-party' = '/demo/:module',
): void {
  app.get(at, respond);
  app.get(`${at}/:page`, respond);

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { module = '', page = 'root' } = request.params as { module?: string; page?: string };
    const query = new URL(request.url, 'http://localhost').searchParams;
    const { cookies } = request;
    const language = requestLanguage(request);
    const answer = await subApp.answer({ module, page, query, cookies, language });
    if (answer.cookie) {
      reply.setCookie(answer.cookie.name, answer.cookie.value, {
        path: '/demo',
        httpOnly: true,
        sameSite: 'lax',
        secure: isHttps,
      });
    }
    if (answer.location) return reply.redirect(answer.location, answer.status);
    return reply
      .status(answer.status)
      .header('content-security-policy', PLAIN_PAGE_POLICY)
      .header('vary', 'cookie, accept-language')
      .type('text/html; charset=utf-8')
      .send(answer.html);
  }
}
