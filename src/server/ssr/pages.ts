import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pathOf, screenAt, type ScreenName } from '#domain/flow/screens.ts';
import { DONE_QUERY, doneAttribute } from '#domain/flow/done.ts';
import {
  DISPLAY_COOKIE,
  DISPLAY_COOKIE_SECONDS,
  DISPLAY_FORM,
  type Preferences,
  readPreferences,
  writePreferences,
} from '#domain/looks/display.ts';
import { servedScreen } from '#domain/flow/served-screens.ts';
import { AppError } from '../http/app-error.ts';
import { formIn, refuseForgedForm } from '../http/form-origin.ts';
import { FORM_REFERRER_POLICY, OPENED_BY_OTHERS } from '../http/headers.ts';
import { withReporting } from '../http/policy-reports.ts';
import type { Http, Visit } from '../http/visit-cookie.ts';
import type { Boot, RenderedScreen } from '#contract/boot.ts';
import { requestLanguage } from '../http/request-language.ts';
import { createPageLanguages } from './page-language.ts';
import { compress, encodingFor } from './compress.ts';
import { leavingPage, writeDocument } from './document.ts';
import { createAnswerOnce } from './answer-once.ts';
import { pagePolicy, targetSource } from './page-policy.ts';
import { lastResort, plain } from './last-resort.ts';
import { displayAttributes, chosenDisplay, displayPreferences } from './display-cookie.ts';
import type { Deps, Outcome } from './page-ports.ts';
import { createPageData } from './page-data.ts';
import { createFormRun } from './run-form.ts';
import { requestAddress, nextPageOf, toScreen } from './visit-screen.ts';
import { INDEXED } from './static-files.ts';
import { cookiesIn } from '../core/cookies.ts';

export type Pages = ReturnType<typeof createPages>;

const SEE_OTHER = 303;

/** The letters of a mailed link's key. Without script an unknown key is looked up only after a press. */
const KEY = /^[\w-]{1,200}$/;

/** Draws the portal's screens on the server: logo, name, accent, title and state are there in the first byte. */
export function createPages(deps: Deps) {
  const { config, buildFor, settings, visits, providerOrigins } = deps;
  const { host, origin } = new URL(config.publicUrl);
  // Another name of the same machine would be another origin.
  const canonicalHost = config.mode === 'demo' ? host : null;
  const answerOnce = createAnswerOnce<Outcome>(deps, ({ headers }) => {
    // The last of several cookies of one name counts.
    const pairs = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0]);
    return visits.tokenIn(cookiesIn(pairs.toReversed().join('; ')));
  });
  const languages = createPageLanguages(deps);
  const { bootFor, knownAt } = createPageData(deps, languages);
  const run = createFormRun(deps, { bootFor, knownAt });

  /** One choice was pressed, the others stay; then the same page again, as it is now. */
  function keepDisplay(request: FastifyRequest, reply: FastifyReply, sent: FormData): FastifyReply {
    const before = chosenDisplay(request.cookies);
    const chosen = readPreferences((name) => sent.get(name) ?? before[name]);
    return storeDisplay(reply, chosen).redirect(request.url, SEE_OTHER);
  }

  function storeDisplay(reply: FastifyReply, chosen: Preferences): FastifyReply {
    return reply.setCookie(DISPLAY_COOKIE, writePreferences(chosen), {
      path: '/',
      sameSite: 'lax',
      secure: origin.startsWith('https:'),
      maxAge: DISPLAY_COOKIE_SECONDS,
    });
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    rendered: RenderedScreen,
    boot: Boot,
    how: Parameters<typeof writeDocument>[4],
  ): Promise<FastifyReply> {
    const { language } = how;
    const build = await buildFor(language);
    // Safari keeps what a script wrote for a week, and what a server wrote as long as it says.
    const isKept = request.cookies[DISPLAY_COOKIE] && boot.screen !== 'counterNext';
    if (isKept) storeDisplay(reply, chosenDisplay(request.cookies));
    const nonce = randomBytes(16).toString('base64');
    const { cookies } = request;
    const html = await deps.sharedDevices.withBar(
      writeDocument(build, rendered, boot, nonce, how),
      { cookies, language, nonce },
    );
    const encoding = encodingFor(request.headers['accept-encoding']);
    const body = encoding ? await compress(html, encoding) : html;
    // Set once nothing can fail any more: the page of last resort goes out as it is.
    if (encoding) reply.header('content-encoding', encoding);
    if (boot.visit.client) reply.headers(OPENED_BY_OTHERS);
    if (!INDEXED.includes(boot.screen)) reply.header('x-robots-tag', 'noindex');
    return withReporting(reply)
      .header('vary', 'accept-encoding, cookie, accept-language')
      .header('content-language', language)
      .header('referrer-policy', FORM_REFERRER_POLICY)
      .status(rendered.status)
      .header('content-security-policy', pagePolicy(nonce, providerOrigins))
      .type('text/html; charset=utf-8')
      .send(body);
  }

  async function give(request: FastifyRequest, reply: FastifyReply, outcome: Outcome) {
    reply.headers(outcome.headers);
    if ('page' in outcome) return reply.redirect(outcome.page, SEE_OTHER);
    if ('away' in outcome) return plain(reply, leavingPage(outcome.away, requestLanguage(request)));
    const { rendered, boot, parts } = outcome.shown;
    return send(request, reply, rendered, boot, parts);
  }

  /**
   * Returns the visit of a page, and begins one where an organisation has a button: the press on it, and a call of the page
   * that wakes at it, would begin one each. Past the limit of visits a page is shown without one.
   */
  async function visitOf(
    { screen, subtenant }: Boot,
    found: Visit | null,
    { request, reply }: Http,
  ) {
    if (screen !== 'signIn' || !subtenant.organisations) return found;
    return visits.ensure(request, reply, found).catch((error: unknown) => {
      if (error instanceof AppError) return found;
      throw error;
    });
  }

  return {
    /** Answers a page request: the finished screen, or the screen the visit is really at. */
    async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { path, search, query } = requestAddress(request);
      if (canonicalHost && request.headers.host !== canonicalHost) {
        return reply.redirect(`http://${canonicalHost}${request.url}`);
      }
      if (path === '/') return reply.redirect(`/account/Signin${search}`);
      try {
        const asked = screenAt(path) ?? 'notFound';
        const found = await deps.signIns.findVisit(request.cookies);
        // The code of such a page belongs to a visit.
        const begun =
          found ?? (servedScreen(asked).isMailed ? await visits.ensure(request, reply) : null);
        const page = await bootFor(request.raw, begun, path, query);
        const { boot, language, speaker } = page;
        const chosen = await languages.keep(request, reply, speaker);
        if (chosen) return reply.redirect(chosen, SEE_OTHER);
        if (boot.screen !== asked) {
          return reply.redirect(toScreen(boot, nextPageOf(path, query)));
        }
        if (asked === 'resetPassword' && !KEY.test(query.get('resetLinkKey') ?? '')) {
          return reply.redirect(toScreen({ ...boot, screen: 'invalidLink' }, null));
        }
        if (asked === 'counterNext') {
          reply.headers(deps.sharedDevices.wiping(request.cookies));
        }
        const visit = await visitOf(boot, begun, { request, reply });
        const build = await buildFor(language);
        const known = await knownAt(path, request, visit, boot);
        const rendered = await build.render({ path, search, boot, origin, known });
        const done = doneAttribute(query.get(DONE_QUERY));
        return await send(request, reply, rendered, boot, {
          language,
          xsrf: visit ? visits.formToken(visit) : '',
          attributes: displayAttributes(request.raw) + done,
        });
      } catch (error) {
        return lastResort(request, reply, error, settings.help);
      }
    },

    /** Answers a form that a browser sent without script: with the next page, or the same one and what is wrong (decision 124). */
    async submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      try {
        const sent = formIn(request.body);
        const visit = await deps.signIns.findVisit(request.cookies);
        await refuseForgedForm({ visits, origin }, { request, reply }, visit, sent);
        if (sent.get('action') === DISPLAY_FORM) return keepDisplay(request, reply, sent);
        const { url, body, cookies } = request;
        const form = { url, body, browser: visits.tokenIn(cookies) };
        const outcome = await answerOnce(form, sent, () => run(request, visit, sent));
        return await give(request, reply, outcome);
      } catch (error) {
        return lastResort(request, reply, error, settings.help);
      }
    },

    /** Draws a screen for an address that is no page of the portal's own. */
    async renderScreen(
      screen: ScreenName,
      request: IncomingMessage,
      { form = null, refusal = null }: Partial<Pick<Boot, 'form' | 'refusal'>>,
    ) {
      const path = pathOf(screen);
      const cookies = cookiesIn(request.headers.cookie);
      const visit = await deps.signIns.findVisit(cookies);
      const { boot: own, language } = await bootFor(request, visit, path, new URLSearchParams());
      const build = await buildFor(language);
      const boot: Boot = { ...own, screen, form, refusal };
      const known = displayPreferences(request);
      const rendered = await build.render({ path, search: '', boot, origin, known });
      const nonce = randomBytes(16).toString('base64');
      const targets = form?.target ? [targetSource(form.target)] : [];
      const html = writeDocument(build, rendered, boot, nonce, {
        language,
        xsrf: '',
        attributes: displayAttributes(request),
      });
      return {
        html: await deps.sharedDevices.withBar(html, { cookies, language, nonce }),
        contentSecurityPolicy: pagePolicy(nonce, providerOrigins, targets),
      };
    },
  };
}
