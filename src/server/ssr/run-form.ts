import type { FastifyRequest } from 'fastify';
import type { Boot } from '#contract/boot.ts';
import { XSRF_COOKIE } from '#contract/routes.ts';
import { screenAt } from '#domain/flow/screens.ts';
import { textsIn } from '#locales/catalogue.ts';
import { AppError } from '../http/app-error.ts';
import { OPENED_BY_OTHERS } from '../http/headers.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { displayAttributes, displayCookie } from './display-cookie.ts';
import { needsScript } from './document.ts';
import { createInProcessBrowser } from './in-process-browser.ts';
import type { createPageData, Page } from './page-data.ts';
import type { Deps, Outcome } from './page-ports.ts';
import { requestAddress, nextPageOf, toScreen } from './visit-screen.ts';

/** Creates the run of a form that came without script. Each run returns the page that follows. */
export function createFormRun(deps: Deps, data: ReturnType<typeof createPageData>) {
  const { buildFor, visits } = deps;
  const { bootFor, knownAt } = data;
  const { origin } = new URL(deps.config.publicUrl);

  return run;

  /** Runs a form's action as the browser would. */
  async function run(
    request: FastifyRequest,
    visit: Visit | null,
    sent: FormData,
  ): Promise<Outcome> {
    const { path, search, query } = requestAddress(request);
    const page = await bootFor(request.raw, visit, path, query);
    const { boot, language } = page;
    // What the page asked for is over, or another tab went on with it.
    if (boot.screen !== (screenAt(path) ?? 'notFound')) {
      return { headers: {}, page: toScreen(boot, nextPageOf(path, query)) };
    }
    if (visit && (boot.account || boot.link)) {
      return runPlain(request, visit, page, sent).catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'NO_SESSION') throw error;
        // The session ended, or its proof grew old, while the act waited: the page leads to what is needed now.
        return { headers: {}, page: path + search };
      });
    }
    const opened = boot.visit.client ? OPENED_BY_OTHERS : {};
    const attributes = displayAttributes(request.raw);
    const build = await buildFor(language);
    const browser = createInProcessBrowser(request.server, request, origin, language);
    const known = await knownAt(path, request, visit, boot);
    if (needsScript(boot)) {
      const rendered = await build.render({ path, search, boot, origin, known });
      const title = textsIn(language).ui.errorTitlePrefix + rendered.title;
      const xsrf = visit ? visits.formToken(visit) : '';
      const parts = { language, xsrf, attributes, isPlain: true };
      return { headers: opened, shown: { rendered: { ...rendered, title }, boot, parts } };
    }
    const { way, rendered } = await build.answer({ path, search, boot, sent, known, browser });
    const headers = { ...opened, 'set-cookie': [...browser.setCookies] };
    if (way) return way.kind === 'page' ? { headers, page: way.href } : { headers, away: way.url };
    // A visit that the calls began has its cookie's.
    const xsrf = visit ? visits.formToken(visit) : (browser.cookie(XSRF_COOKIE) ?? '');
    const parts = { language, xsrf, attributes, isPlain: true };
    return { headers, shown: { rendered, boot, parts } };
  }

  /** Runs a plain form, of My account or of a mailed link: the server changes the person, and no script takes part. */
  async function runPlain(
    request: FastifyRequest,
    visit: Visit,
    { boot, language }: Omit<Page, 'speaker'>,
    sent: FormData,
  ): Promise<Outcome> {
    const { path, query } = requestAddress(request);
    const caller = { visit, ip: request.ip, cookies: request.cookies };
    const { login } = boot.visit;
    if (!boot.link && !login) throw new AppError('NO_SESSION');
    const answer =
      boot.link || !login
        ? await deps.mailLinks.submit(boot.screen, query, sent, caller, { me: login, language })
        : await deps.myAccount.submit(boot.screen, login, sent, caller, language);
    if ('page' in answer) {
      const { page, display, cookies = [] } = answer;
      const lines = [...cookies, ...(display ? [displayCookie(display, origin)] : [])];
      return { headers: lines.length > 0 ? { 'set-cookie': lines } : {}, page };
    }
    const shown: Boot = { ...boot, ...answer };
    const known = await knownAt(path, request, visit, shown);
    const build = await buildFor(language);
    const rendered = await build.render({ path, search: '', boot: shown, origin, known });
    // A second press of what was answered shows the answer, and that is no error.
    const isAnswered = shown.link?.state === 'accepted' || shown.link?.state === 'declined';
    const prefix = isAnswered ? '' : textsIn(language).ui.errorTitlePrefix;
    const title = prefix + rendered.title;
    const attributes = displayAttributes(request.raw);
    const parts = { language, xsrf: visits.formToken(visit), attributes, isPlain: true };
    return { headers: {}, shown: { rendered: { ...rendered, title }, boot: shown, parts } };
  }
}
