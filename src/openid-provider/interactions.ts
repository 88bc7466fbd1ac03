/**
 * Authorization requests that wait for a person. The portal shows the screens; this file writes the results by which
 * the provider continues when the browser comes back (OIDC Core 3.1.2.3, 3.1.2.4).
 */

import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type { Grant, Provider } from 'oidc-provider';
import { OIDC_SCOPES } from './scopes.ts';
import type { PasswordGiven } from './auth0/login-ticket.ts';
import type { ClientDirectory } from './clients.ts';
import { acceptsSignIn } from './factors.ts';
import type {
  InteractionOutcome,
  OpenIdProvider,
  OpenIdProviderOptions,
  PendingInteraction,
} from './options.ts';
import type { Accounts } from './ports.ts';
import type { ProviderSessions } from './sessions.ts';
import { firstPageOf } from './first-page.ts';

type Interaction = InstanceType<Provider['Interaction']>;
type Session = Awaited<ReturnType<ProviderSessions['ofBrowser']>>;

const STEPS = { login: 'signIn', select_account: 'choose', consent: 'consent' } as const;
const GONE: InteractionOutcome = { kind: 'gone' };

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the subtenant that a request names, by Auth0's parameter or by ours. */
export function organizationOf(params: Record<string, unknown> | undefined): string | null {
  return text(params?.organization) ?? text(params?.subtenantId);
}

type Missing = {
  readonly missingOIDCScope?: readonly string[];
  readonly missingResourceScopes?: Record<string, readonly string[]>;
};

/** Returns the scopes to ask consent for: the missing ones, or all of them for a mere prompt=consent. */
function scopesOf({ prompt, params }: Interaction): readonly string[] {
  const { missingOIDCScope, missingResourceScopes } = prompt.details as Missing;
  if (!missingOIDCScope && !missingResourceScopes)
    return (text(params.scope) ?? '').split(' ').filter(Boolean);
  const own = missingOIDCScope ?? [];
  const ofApis = Object.values(missingResourceScopes ?? {}).flat();
  // Tokens for APIs repeat the OpenID scopes; consent to those is not asked again.
  const news = [...own, ...ofApis.filter((scope) => !OIDC_SCOPES.includes(scope))];
  return [...new Set(news.length > 0 ? news : ofApis)];
}

/** Returns the account whose password was verified with the request, while a ticket for it would be valid. */
function passwordOf({ prompt }: Interaction, now: Date): string | null {
  const { passwordGiven } = prompt.details as { readonly passwordGiven?: PasswordGiven };
  return passwordGiven && passwordGiven.until * 1000 > now.getTime()
    ? passwordGiven.accountId
    : null;
}

function toPendingInteraction(interaction: Interaction, now: Date): PendingInteraction | null {
  const step = STEPS[interaction.prompt.name as keyof typeof STEPS];
  const clientId = text(interaction.params.client_id);
  if (!step || !clientId) return null;
  return {
    uid: interaction.uid,
    clientId,
    step,
    requiresReauthentication: step === 'signIn' && interaction.session !== undefined,
    passwordOf: passwordOf(interaction, now),
    scopes: scopesOf(interaction),
    firstPage: step === 'signIn' ? firstPageOf(interaction.params) : 'signIn',
    loginHint: text(interaction.params.login_hint),
    locales: text(interaction.params.ui_locales),
    organization: organizationOf(interaction.params),
    secondsLeft: interaction.exp - Math.floor(Date.now() / 1000),
  };
}

/** Creates the port through which the portal's screens answer interactions. */
export function createInteractions(
  provider: Provider,
  sessions: ProviderSessions,
  accounts: Accounts,
  clients: ClientDirectory,
  { findOrganization, now }: Pick<OpenIdProviderOptions, 'findOrganization' | 'now'>,
): Pick<OpenIdProvider, 'findInteraction' | 'answerInteraction'> {
  /** Returns whether this browser sent the request, by the provider's own cookie. */
  function isOfBrowser(req: IncomingMessage, uid: string): boolean {
    const { cookies } = provider.createContext(req, new ServerResponse(req));
    return cookies.get(provider.cookieName('interaction'), { signed: true }) === uid;
  }

  /** Whether the account belongs to the subtenant that the request names; naming one gives no access (security D21). */
  async function isInOrganization(interaction: Interaction, accountId: string): Promise<boolean> {
    const named = organizationOf(interaction.params);
    if (named === null) return true;
    const [claims, id] = await Promise.all([accounts.claimsOf(accountId), findOrganization(named)]);
    return id !== null && claims?.org_id === id;
  }

  async function finish(interaction: Interaction, session: Session | null, result: object) {
    // The session at the start of the interaction may have ended; the current one is used.
    if (session?.accountId)
      interaction.session = { accountId: session.accountId, uid: session.uid, cookie: '' };
    else delete interaction.session;
    interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
    await interaction.persist();
    return { kind: 'goOn', url: interaction.returnTo } as const;
  }

  const refuse = (interaction: Interaction, session: Session, why: string) =>
    finish(interaction, session, { error: 'access_denied', error_description: why });

  async function signIn(interaction: Interaction, session: Session): Promise<InteractionOutcome> {
    const { accountId = '', uid, loginTs, amr, acr } = session;
    // A session from before the request does not answer it: every sign-in starts a new one.
    const isOld = interaction.prompt.name === 'login' && interaction.session?.uid === uid;
    if (isOld) return { kind: 'signInAgain' };
    if (!(await isInOrganization(interaction, accountId)))
      return refuse(interaction, session, 'The person does not belong to this organization.');
    const login = { accountId, ts: loginTs, amr, acr, remember: false };
    return finish(interaction, session, { login, select_account: {} });
  }

  async function allow(interaction: Interaction, session: Session): Promise<InteractionOutcome> {
    if (interaction.session?.uid !== session.uid) return GONE;
    const { client_id: clientId } = interaction.params as { client_id: string };
    const known = interaction.grantId ? await provider.Grant.find(interaction.grantId) : undefined;
    const grant: Grant =
      known ??
      new provider.Grant({
        accountId: session.accountId as string,
        clientId,
        // Its refresh tokens may live longer than a session.
        client: await provider.Client.find(clientId),
      } as never);
    const { missingResourceScopes } = interaction.prompt.details as Missing;
    for (const [api, scopes] of Object.entries(missingResourceScopes ?? {}))
      grant.addResourceScope(api, scopes.join(' '));
    grant.addOIDCScope(
      scopesOf(interaction)
        .filter((scope) => OIDC_SCOPES.includes(scope))
        .join(' '),
    );
    return finish(interaction, session, { consent: { grantId: await grant.save() } });
  }

  return {
    async findInteraction(req, uid) {
      if (!isOfBrowser(req, uid)) return null;
      const interaction = await provider.Interaction.find(uid);
      return interaction ? toPendingInteraction(interaction, now()) : null;
    },

    async answerInteraction(req, uid, answer) {
      const interaction = await provider.Interaction.find(uid);
      if (!interaction) return GONE;
      const session = await sessions.ofBrowser(req);
      if (answer.kind === 'denied')
        return refuse(interaction, session, 'The person did not allow it.');
      const client = await clients.find(interaction.params.client_id);
      if (
        session.accountId !== answer.accountId ||
        !acceptsSignIn(client, session.amr, session.acr)
      )
        return { kind: 'signInAgain' };
      if (answer.kind === 'signedIn')
        return interaction.prompt.name === 'consent' ? GONE : signIn(interaction, session);
      return interaction.prompt.name === 'consent' ? allow(interaction, session) : GONE;
    },
  };
}
