import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NEXT_QUERY, pathOf, returnPageIn, type ScreenName } from '#domain/flow/screens.ts';
import type { Login } from '#domain/flow/visit.ts';
import { DEFAULT_SUBTENANT_ID } from '#domain/people/subtenants.ts';
import type { Cookies } from '../core/cookies.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { FullContext } from '../access/context.ts';
import type { SharedDevices } from '../counter/shared-devices.ts';
import { AppError } from '../http/app-error.ts';
import { formIn, refuseForgedForm } from '../http/form-origin.ts';
import { requestLanguage } from '../http/request-language.ts';
import type { Visit, VisitCookie } from '../http/visit-cookie.ts';
import { textOf } from '../forms/account-page.ts';
import type { StepUp } from '../forms/step-up.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { leavingPage, type Help } from '../ssr/document.ts';
import { lastResort, plain } from '../ssr/last-resort.ts';
import { startOfInvitation } from './invited.ts';
import { ORGANISATION_BASE } from './organisation-paths.ts';
import type { UpstreamStart } from './organisation-sign-ins.ts';
import type { Organisations } from './organisations.ts';

type Parts = {
  readonly context: FullContext;
  readonly organisations: Organisations;
  readonly visits: VisitCookie;
  readonly signIns: Pick<SignIns, 'findVisit'>;
  readonly sharedDevices: Pick<SharedDevices, 'isShared'>;
  readonly settings: { readonly help: Help };
  /** The session that a page of My account would show. */
  readonly pagePerson: { readonly loginOf: (cookies: Cookies) => Promise<Login | null> };
  readonly myAccount: Pick<StepUp, 'isFreshIn'>;
};

const SEE_OTHER = 303;

type Params = { readonly id: string };

type Of = { readonly id: string; readonly subtenantId: number };

/** Installs the start of a sign-in at an organisation, by a form of ours, and its answer. */
export async function installOrganisations(app: FastifyInstance, parts: Parts): Promise<void> {
  const { context, organisations, visits, signIns, sharedDevices, settings } = parts;
  const { origin } = new URL(context.config.publicUrl);

  const failed = ({ id, subtenantId }: Of, why: string) =>
    inHouse(
      subtenantId,
      `${pathOf('organisation')}?${String(new URLSearchParams({ of: id, why }))}`,
    );

  /** The page is drawn for people: a fault is a page, too. */
  const asPage =
    (work: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      work(request, reply).catch((error: unknown) =>
        lastResort(request, reply, error, settings.help),
      );

  type StartBy = (
    request: FastifyRequest,
    sent: FormData,
    visit: Visit,
  ) => Promise<UpstreamStart | { readonly instead: ScreenName }>;

  const signInBy: StartBy = async (_, sent) => ({ purpose: 'signIn', about: pageAfter(sent) });

  /** A press of My account is for the session that links, once that has proven itself. */
  const linkBy: StartBy = async ({ cookies }) => {
    const login = await parts.pagePerson.loginOf(cookies);
    const isFresh = login?.signInId && (await parts.myAccount.isFreshIn(login));
    return isFresh ? { purpose: 'link', about: login.signInId } : { instead: 'myOrganisation' };
  };

  /** Not for the session of another person: it is signed out on the invitation's page first. */
  const invitedBy: StartBy = async ({ params, cookies }, sent, visit) => {
    const login = await parts.pagePerson.loginOf(cookies);
    const start = login
      ? null
      : await startOfInvitation(context, textOf(sent, 'invitation'), visit);
    const isOpen = start?.organisation.id === (params as Params).id;
    return isOpen ? { purpose: 'invitation', about: start.about } : { instead: 'invalidLink' };
  };

  /** Returns the organisation of an address; none when its button was taken away meanwhile, and on a shared device. */
  const offered = async ({ params, cookies }: FastifyRequest) =>
    (await sharedDevices.isShared(cookies)) ? null : organisations.find((params as Params).id);

  const start = (startBy: StartBy) => async (request: FastifyRequest, reply: FastifyReply) => {
    const sent = formIn(request.body);
    const found = await signIns.findVisit(request.cookies);
    await refuseForgedForm({ visits, origin }, { request, reply }, found, sent);
    const organisation = await offered(request);
    if (!organisation) return reply.redirect(pathOf('signIn'), SEE_OTHER);
    if (!(await context.rateLimits.isWithin([RATE_LIMITS.organisationPerIp, request.ip]))) {
      throw new AppError('TOO_MANY');
    }
    const visit = await visits.ensure(request, reply, found);
    const by = await startBy(request, sent, visit);
    if ('instead' in by) return reply.redirect(pathOf(by.instead), SEE_OTHER);
    const begun = await organisations.begin(organisation, visit, by);
    if ('why' in begun) return reply.redirect(failed(organisation, begun.why), SEE_OTHER);
    // A redirect after a form is held back by the policy of its page (form-action).
    return plain(reply, leavingPage(begun.url, requestLanguage(request)));
  };

  async function back(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const organisation = await offered(request);
    const visit = await signIns.findVisit(request.cookies);
    if (!organisation) return reply.redirect(pathOf('signIn'), SEE_OTHER);
    if (!visit) return reply.redirect(failed(organisation, 'refused'), SEE_OTHER);
    const [, search = ''] = request.url.split('?', 2);
    const { ip, cookies } = request;
    const of = { caller: { visit, ip, cookies }, http: { request, reply } };
    const answer = await organisations.answer(organisation, search, of);
    const page =
      'page' in answer
        ? inHouse(organisation.subtenantId, answer.page)
        : failed(organisation, answer.why);
    return reply.redirect(page, SEE_OTHER);
  }

  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => text,
    );
    forms.post(`${ORGANISATION_BASE}/:id/start`, asPage(start(signInBy)));
    forms.post(`${ORGANISATION_BASE}/:id/link`, asPage(start(linkBy)));
    forms.post(`${ORGANISATION_BASE}/:id/invitation`, asPage(start(invitedBy)));
  });
  app.get(`${ORGANISATION_BASE}/:id/back`, asPage(back));
}

/**
 * Returns the address of a page in the look of an organisation's house. Without script nothing else remembers it on the
 * way there and back.
 */
function inHouse(house: number, page: string): string {
  if (house === DEFAULT_SUBTENANT_ID) return page;
  return `${page}${page.includes('?') ? '&' : '?'}subtenantId=${house}`;
}

/** Returns the page after the sign-in, from the fields of the form. */
function pageAfter(sent: FormData): string {
  const entrance = sent.get('entrance') === 'legalStaff' ? 'legalStaff' : 'portal';
  const next = returnPageIn(new URLSearchParams({ [NEXT_QUERY]: textOf(sent, NEXT_QUERY) }));
  const query = next ? `?${String(new URLSearchParams({ [NEXT_QUERY]: next }))}` : '';
  return pathOf('redirect', entrance) + query;
}
