import type { FastifyInstance, FastifyRequest } from 'fastify';
import { INTERACTION_PATH } from '#contract/routes.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import { PORTAL_CLIENT_ID } from '../../config/client-file.ts';
import type { Binder } from '../../http/bind.ts';
import { OPENED_BY_OTHERS } from '../../http/headers.ts';
import type { Visit, VisitCookie } from '../../http/visit-cookie.ts';
import type { SecretBox } from '../../crypto/secret-box.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { Subtenants } from '../../subtenants/subtenants.ts';
import type { Consents } from './consents.ts';
import type { AuthorizationInteractions, PendingInteraction } from '#openid-provider/options.ts';
import type { Client, ClientRegistry } from './registry.ts';
import { firstSpoken, LANGUAGE_QUERY } from '#domain/text/language-choice.ts';
import { OFFERED } from '#locales/languages.ts';
import type { PendingInteractions } from './pending-interactions.ts';

/** Links to an application's own sign-in (OIDC Core 4). */
const START_PATH = '/account/start';

type Deps = {
  readonly clients: ClientRegistry;
  readonly requests: PendingInteractions;
  readonly consents: Consents;
  readonly interactions: AuthorizationInteractions;
  readonly issuer: string;
  readonly secretBox: SecretBox;
  readonly visits: Pick<VisitCookie, 'ensure'>;
  readonly signIns: Pick<SignIns, 'signedInUser' | 'beginAtOtp'>;
  readonly subtenants: Pick<Subtenants, 'findNamed' | 'remember'>;
};

/** Installs the calls and pages of other applications. */
export function installClients(app: FastifyInstance, bind: Binder, deps: Deps): void {
  bindClients(bind, deps);
  installClientPages(app, deps);
}

function bindClients(bind: Binder, { requests, consents, interactions }: Deps): void {
  const answer =
    (kind: 'signedIn' | 'allowed' | 'denied') =>
    async (call: { body: { request: string }; visit: Visit; request: FastifyRequest }) => ({
      url: await requests.answer(
        { visit: call.visit, id: call.body.request, kind, request: call.request.raw },
        interactions,
      ),
    });
  bind('continueInteraction', answer('signedIn'));
  bind('allowInteraction', answer('allowed'));
  bind('denyInteraction', answer('denied'));
  bind('getConsents', async ({ session }) => [...(await consents.list(session.userId))]);
  bind('revokeConsent', async ({ session, body }) => {
    await consents.revoke(session.userId, body.clientId);
    await interactions.endClient(String(session.userId), body.clientId);
    return true;
  });
}

/** The two pages for browsers: the start of an interaction, and the link to an application's own sign-in. */
function installClientPages(app: FastifyInstance, deps: Deps): void {
  const { clients, requests, interactions, visits, signIns, subtenants } = deps;

  app.get(`${INTERACTION_PATH}/:uid`, async (request, reply) => {
    const { uid } = request.params as { uid: string };
    reply.headers(OPENED_BY_OTHERS);
    const pending = await interactions.findInteraction(request.raw, uid);
    const client = pending && (await clients.find(pending.clientId));
    if (!pending || !client) return reply.redirect(pathOf('interactionOver'), 303);
    // The portal itself asks silently; a person who reaches this page signs in as usual.
    if (client.clientId === PORTAL_CLIENT_ID) return reply.redirect(pathOf('signIn'), 303);
    const visit = await visits.ensure(request, reply);
    const named = pending.organization && (await subtenants.findNamed(pending.organization));
    const subtenantId = named || client.subtenantId;
    if (subtenantId) await subtenants.remember(visit.id, subtenantId);
    const id = await requests.open(visit, pending, subtenantId);
    if (pending.passwordOf !== null) await signIns.beginAtOtp(visit, Number(pending.passwordOf));
    const language = firstSpoken(pending.locales?.replaceAll(' ', ',') ?? '', OFFERED);
    const spoken = language ? `&${LANGUAGE_QUERY}=${language}` : '';
    return reply.redirect(`${pathOf(screenOf(pending))}?request=${id}${spoken}`, 303);
  });

  app.get(`${START_PATH}/:clientId`, async (request, reply) => {
    const { clientId } = request.params as { clientId: string };
    const client = await clients.find(clientId);
    const target = new URL(request.url, deps.issuer).searchParams.get('target_link_uri');
    const isRefused = target !== null && (!client || !isOfClient(client, target));
    if (!client?.initiateLoginUri || isRefused) {
      return reply.redirect(pathOf('interactionOver'), 303);
    }
    const visit = await visits.ensure(request, reply);
    const userId = await signIns.signedInUser(visit);
    const url = new URL(client.initiateLoginUri);
    url.searchParams.set('iss', deps.issuer);
    if (target !== null) url.searchParams.set('target_link_uri', target);
    // An opaque hint: the client can recognise the same person without learning the identity.
    if (userId !== null) {
      url.searchParams.set(
        'login_hint',
        deps.secretBox.hmac('login-hint', `${clientId}:${userId}`),
      );
    }
    return reply.redirect(url.href, 303);
  });
}

function screenOf({ step, passwordOf, firstPage }: PendingInteraction): ScreenName {
  if (step === 'consent') return 'consent';
  if (passwordOf !== null) return 'redirect';
  return firstPage === 'signIn' ? 'clientSignIn' : firstPage;
}

/** Returns whether a target is on an origin of the client; anything else would be an open redirect (OIDC Core 4). */
function isOfClient(client: Client, target: string): boolean {
  if (!URL.canParse(target)) return false;
  const url = new URL(target);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  return [...client.redirectUris, client.initiateLoginUri ?? ''].some(
    (uri) => URL.canParse(uri) && new URL(uri).origin === url.origin,
  );
}
