import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Data } from '#contract/index.ts';
import {
  entryPointOf,
  pathOf,
  EXPIRED_QUERY,
  INTERACTION_QUERY,
  screenAt,
  SCREENS,
  type ScreenName,
} from '#domain/screens.ts';
import { parseSubtenantId, type Subtenant } from '#domain/subtenants.ts';
import { EMPTY_VISIT, screenFor, type VisitState } from '#domain/visit.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { isDatabaseAway } from '../db/availability.ts';
import { RETRY_AFTER_SECONDS } from '../http/errors.ts';
import { OPENED_BY_OTHERS, PLAIN_PAGE_POLICY } from '../http/headers.ts';
import { REPORT_DIRECTIVES, withReporting } from '../http/policy-reports.ts';
import { noteFault } from '../http/request-id.ts';
import type { Boot } from '#contract/boot.ts';
import { compress, encodingFor } from './compress.ts';
import { awayPage, brokenPage, writeDocument } from './document.ts';
import type { PortalBuild } from './portal-build.ts';

type Deps = {
  readonly build: PortalBuild;
  readonly settings: Omit<Data<'getSettings'>, 'isCaptchaNeeded'>;
  /** Where this demo lives: another name of the same machine would be another origin. */
  readonly canonicalHost: string | null;
  readonly findVisit: (cookieHeader: string | undefined) => Promise<Visit | null>;
  readonly stateOf: (
    visit: Visit,
    request: {
      readonly interaction: string | null;
      readonly isForSwitcher: boolean;
      readonly cookieHeader: string | undefined;
    },
  ) => Promise<VisitState>;
  readonly rememberSubtenant: (visitId: string, id: number) => Promise<void>;
  readonly subtenantFor: (id: number | null) => Promise<Subtenant>;
  /** Origins that a page may ask for a password check and frame for a silent one, besides our own: a real tenant. */
  readonly providerOrigins: readonly string[];
};

export type Pages = {
  /** Answers a page request: the finished screen, or the screen the visit is really at. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** Draws a screen for an address that is no page of the portal's own. */
  draw(
    screen: ScreenName,
    request: IncomingMessage,
    details: { readonly form?: Boot['form']; readonly refusal?: Boot['refusal'] },
  ): Promise<{ readonly html: string; readonly contentSecurityPolicy: string }>;
};

/** Draws the portal's screens on the server: logo, name, accent, title and state are there in the first byte. */
export function createPages(deps: Deps): Pages {
  const { build, settings, canonicalHost, findVisit, stateOf, providerOrigins } = deps;
  const { rememberSubtenant, subtenantFor } = deps;

  async function bootFor(request: IncomingMessage, path: string, query: URLSearchParams) {
    const cookieHeader = request.headers.cookie;
    const visit = await findVisit(cookieHeader);
    const asked = screenAt(path) ?? 'notFound';
    const interaction = query.get(INTERACTION_QUERY);
    const isForSwitcher = SCREENS[asked].needs === 'roles';
    const state = visit
      ? await stateOf(visit, { interaction, isForSwitcher, cookieHeader })
      : EMPTY_VISIT;
    const named = parseSubtenantId(query.get('subtenantId') ?? undefined);
    const subtenant = await subtenantFor(named ?? state.subtenantId);
    if (visit && subtenant.id === named) await rememberSubtenant(visit.id, named);
    return {
      subtenant,
      isSubtenantNamed: named !== null,
      visit: state,
      settings,
      screen: screenFor(asked === 'signIn' && isSignInFor(state) ? 'clientSignIn' : asked, state),
      entryPoint: entryPointOf(path),
      form: null,
      refusal: null,
    } satisfies Boot;
  }

  return {
    async answer(request, reply) {
      const [path = '/', search = ''] = request.url.split('?', 2);
      const query = search ? `?${search}` : '';
      if (canonicalHost && request.headers.host !== canonicalHost) {
        return reply.redirect(`http://${canonicalHost}${request.url}`);
      }
      if (path === '/') return reply.redirect(`/account/Signin${query}`);
      try {
        const boot = await bootFor(request.raw, path, new URLSearchParams(search));
        const asked = screenAt(path) ?? 'notFound';
        if (boot.screen !== asked) {
          return reply.redirect(toScreen(boot));
        }
        const rendered = await build.render({ path, search: query, boot });
        const nonce = randomBytes(16).toString('base64');
        const html = writeDocument(build, rendered, boot, nonce);
        const encoding = encodingFor(request.headers['accept-encoding']);
        const body = encoding ? await compress(html, encoding) : html;
        // Set once nothing can fail any more: the page of last resort goes out as it is.
        if (encoding) reply.header('content-encoding', encoding);
        if (boot.visit.client) reply.headers(OPENED_BY_OTHERS);
        return await withReporting(reply)
          .header('vary', 'accept-encoding')
          .status(rendered.status)
          .header('content-security-policy', pagePolicy(nonce, providerOrigins))
          .type('text/html; charset=utf-8')
          .send(body);
      } catch (error) {
        request.log.error({ err: error, reference: request.id }, 'page failed');
        const isAway = isDatabaseAway(error);
        if (!isAway) noteFault(request, error);
        if (isAway) reply.header('retry-after', RETRY_AFTER_SECONDS);
        return reply
          .status(isAway ? 503 : 500)
          .header('content-security-policy', PLAIN_PAGE_POLICY)
          .type('text/html; charset=utf-8')
          .send(isAway ? awayPage() : brokenPage(request.id));
      }
    },

    async draw(screen, request, { form = null, refusal = null }) {
      const path = pathOf(screen);
      const own = await bootFor(request, path, new URLSearchParams());
      const boot: Boot = { ...own, screen, form, refusal };
      const rendered = await build.render({ path, search: '', boot });
      const nonce = randomBytes(16).toString('base64');
      const targets = form?.target ? [targetSource(form.target)] : [];
      return {
        html: writeDocument(build, rendered, boot, nonce),
        contentSecurityPolicy: pagePolicy(nonce, providerOrigins, targets),
      };
    },
  };
}

const isSignInFor = ({ client }: VisitState) =>
  client?.step === 'signIn' || client?.step === 'choose';

/** The screen that the visit is really at; it goes on with the same application's request. */
function toScreen({ screen, entryPoint, visit, subtenant, isSubtenantNamed }: Boot): string {
  const query = new URLSearchParams({
    ...(isSubtenantNamed && { subtenantId: String(subtenant.id) }),
    ...(visit.client && { [INTERACTION_QUERY]: visit.client.id }),
    // Asked for a step of a session that ended while nobody was there: that is told (SIN-04).
    ...(screen === 'signIn' && visit.hasTimedOut && { [EXPIRED_QUERY]: '1' }),
  });
  return pathOf(screen, entryPoint) + (query.size > 0 ? `?${String(query)}` : '');
}

/** Where a form may lead on to: an origin, or the scheme of an application on the person's own machine. */
function targetSource(target: string): string {
  const { origin, protocol } = new URL(target);
  return origin === 'null' ? protocol : origin;
}

/** No inline code without the nonce, no third party, no string becomes code (security R32). */
function pagePolicy(
  nonce: string,
  providerOrigins: readonly string[],
  formTargets: readonly string[] = [],
): string {
  const others = providerOrigins.map((origin) => ` ${origin}`).join('');
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${others}`,
    `frame-src 'self'${others}`,
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...REPORT_DIRECTIVES,
  ].join('; ');
}

/** Every address that is nothing else is a page; unknown ones are the 404 page, with a way on (SCR-05). */
export function installPages(app: FastifyInstance, pages: Pages): void {
  app.get('/', (request, reply) => pages.answer(request, reply));
}
