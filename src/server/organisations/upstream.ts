/** The client of organizations' providers (OpenID Connect code flow). Their tokens never leave this file (ORG-05). */

import { decodeProtectedHeader } from 'jose';
import * as oidc from 'openid-client';
import { organisationCommand as texts } from '#locales/operator/organisation-command.ts';
import { doctorCommand } from '#locales/operator/doctor-command.ts';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { isWebAddress } from '../config/client-file.ts';
import type { AdminContext } from '../core/context.ts';
import { firstLetters } from '#domain/text/first-letters.ts';
import { bad, type Finding, good } from '../core/finding.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { createGuardedFetch } from '../http/guarded-fetch.ts';
import { flawOf } from '../sign-in/code-exchange.ts';
import { redirectUriOf } from './organisation-paths.ts';
import { type Organisation, sealedSecretOf } from './organisation-store.ts';
import { countOddSubjects } from './scim/scim-users.ts';

type Context = Pick<AdminContext, 'db' | 'config' | 'secretBox'>;

/** Why a sign-in over there did not work. With `noAnswer` and `noPage` the provider is down. */
type UpstreamFault = keyof typeof texts.faultsOfTest;

/** An answer or provider that failed; `message` never has a token. */
export class UpstreamError extends Error {
  readonly fault: UpstreamFault;
  constructor(message: string, fault: UpstreamFault = 'refused') {
    super(message);
    this.fault = fault;
  }
}

/** The person of an answer that passed every check. */
export type UpstreamPerson = {
  readonly subject: string;
  /** The address or name over there: only shown, never looked up. */
  readonly shownName: string;
  /** The organisation's second step stands for our code. */
  readonly isSecondStepDone: boolean;
};

/** The values that an answer is compared with. */
export type UpstreamExpectation = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

const LEEWAY_SECONDS = 60;
const OLDEST_SECONDS = 10 * 60;
const CONFIGURATION_LIFE_MS = 10 * MINUTE_MS;
const SECRET_WARNING_MS = 30 * DAY_MS;
const ALGORITHMS = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Creates the client. Discovered providers and their keys are kept for ten minutes. */
export function createUpstream({ db, config, secretBox }: Context) {
  const isDemo = config.mode === 'demo';
  const fetch = createGuardedFetch({ isDemo });
  const customFetch = fetch as oidc.CustomFetch;
  const known = new Map<string, { readonly until: number; readonly of: oidc.Configuration }>();

  async function discover({ id, issuer, clientId }: Organisation): Promise<oidc.Configuration> {
    const sealed = await sealedSecretOf(db, id);
    if (sealed === null) throw new UpstreamError('the organization was removed');
    const secret = secretBox.decrypt('organisation', sealed);
    const isHere = isDemo && issuer.startsWith('http:') && isWebAddress(issuer, { isDemo });
    const found = await oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: LEEWAY_SECONDS },
      (as, client, body, headers) => {
        const methods = as.token_endpoint_auth_methods_supported;
        const isPost = methods && !methods.includes('client_secret_basic');
        const auth = isPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
        auth(as, client, body, headers);
      },
      { [oidc.customFetch]: customFetch, execute: isHere ? [oidc.allowInsecureRequests] : [] },
    );
    oidc.enableNonRepudiationChecks(found);
    return found;
  }

  async function configurationOf(organisation: Organisation): Promise<oidc.Configuration> {
    const key = `${organisation.id} ${organisation.changedAt.getTime()}`;
    const kept = known.get(key);
    if (kept && kept.until > Date.now()) return kept.of;
    for (const [each, { until }] of known) if (until <= Date.now()) known.delete(each);
    const of = await discover(organisation).catch((error: unknown) => {
      throw faultOf(error, 'notOneTenant');
    });
    known.set(key, { of, until: Date.now() + CONFIGURATION_LIFE_MS });
    return of;
  }

  /** @throws UpstreamError */
  function personOf(organisation: Organisation, claims: oidc.IDToken): UpstreamPerson {
    const { clientId, hostedDomain, subject: claim } = organisation;
    const { azp, iat, hd } = claims;
    if (azp !== undefined && azp !== clientId) throw new UpstreamError('azp is another client');
    const isOld = iat < Date.now() / 1000 - OLDEST_SECONDS - LEEWAY_SECONDS;
    if (isOld) throw new UpstreamError('iat is more than 10 minutes ago');
    const isOfDomain = hostedDomain === null || text(hd).toLowerCase() === hostedDomain;
    if (!isOfDomain) throw new UpstreamError('hd is not the demanded domain');
    const subject = text(claims[claim]);
    if (!/^[\x21-\x7E]{1,255}$/.test(subject)) throw new UpstreamError(`${claim} is missing`);
    const name = [claims.email, claims.preferred_username, claims.name].map(text).find(Boolean);
    return {
      subject,
      shownName: firstLetters((name ?? subject).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ''), 100),
      isSecondStepDone: isSecondStepDone(organisation, claims),
    };
  }

  /** Begins a sign-in over there. @throws UpstreamError when the provider cannot be discovered */
  async function begin(
    organisation: Organisation,
    { asksAgain }: { readonly asksAgain: boolean },
  ): Promise<UpstreamExpectation & { readonly url: string }> {
    const provider = await configurationOf(organisation);
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
    const codeVerifier = oidc.randomPKCECodeVerifier();
    const { maxAuthAge: age, hostedDomain: hd } = organisation;
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: redirectUriOf(config, organisation.id),
      scope: 'openid profile email',
      state,
      nonce,
      // RFC 7636, 4.2.
      code_challenge: hashToken(codeVerifier),
      code_challenge_method: 'S256',
      ...(asksAgain && { prompt: 'login' }),
      ...(age !== null && { max_age: String(age) }),
      ...(hd !== null && { hd }),
    });
    return { url: url.href, state, nonce, codeVerifier };
  }

  return {
    begin,

    /**
     * Exchanges the code of an answer and checks its ID token.
     * @param search the query of the answer, as it came
     * @throws UpstreamError
     */
    async redeem(
      organisation: Organisation,
      expected: UpstreamExpectation,
      search: string,
    ): Promise<UpstreamPerson> {
      try {
        const provider = await configurationOf(organisation);
        const answer = new URL(redirectUriOf(config, organisation.id));
        answer.search = search;
        const tokens = await oidc.authorizationCodeGrant(provider, answer, {
          pkceCodeVerifier: expected.codeVerifier,
          expectedState: expected.state,
          expectedNonce: expected.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        const { alg } = decodeProtectedHeader(tokens.id_token ?? '');
        const flaw = claims && ALGORITHMS.test(text(alg)) ? flawOf(tokens, claims) : 'alg';
        if (!claims || flaw !== null) throw new UpstreamError(flaw ?? 'no ID token');
        return personOf(organisation, claims);
      } catch (error) {
        throw faultOf(error, 'refused');
      }
    },

    /** Tries what can be tried without a person: discovery, keys, redirect address, clock, and the secret's end. */
    async check(organisation: Organisation, now: Date): Promise<readonly Finding[]> {
      const { id, secretEndsOn: day } = organisation;
      const name = `organisation ${id}`;
      const { host } = new URL(organisation.issuer);
      const findings: Finding[] = [];
      if (day !== null && Date.parse(day) - now.getTime() < SECRET_WARNING_MS) {
        findings.push(bad('warning', name, 'organisationSecret', { id, day }));
      }
      // Entra sends another id than the object id until its administrator maps that one (FED-09).
      const count = await countOddSubjects(db, organisation);
      if (count > 0) findings.push(bad('warning', name, 'organisationSubjects', { id, count }));
      if (organisation.secondFactor === 'theirs') {
        findings.push(good(name, doctorCommand.organisationTheirs, { id }));
      }
      try {
        const provider = await configurationOf(organisation);
        const { jwks_uri: keys } = provider.serverMetadata();
        if (keys === undefined) throw new UpstreamError('no jwks_uri', 'noPage');
        const response = await fetch(keys);
        const set = (await response.json()) as { keys?: readonly unknown[] };
        if (!response.ok || !set.keys?.length) throw new UpstreamError('no keys', 'noPage');
        findings.push(good(name, doctorCommand.organisation, { host }));
        const ahead = Date.parse(response.headers.get('date') ?? '') - Date.now();
        const seconds = Math.round(ahead / 1000);
        if (Math.abs(seconds) > LEEWAY_SECONDS) {
          findings.push(bad('fault', name, 'organisationClock', { host, seconds }));
        }
        findings.push(await lookAtRedirect(organisation, name));
      } catch (error) {
        const { fault, message } = faultOf(error, 'notOneTenant');
        const reason = `${texts.faultsOfTest[fault]} (${message})`;
        findings.push(bad('fault', name, 'organisationAway', { id, reason }));
      }
      return findings;
    },
  };

  /** A provider that knows the client and the redirect address sends us on or shows its page; it never answers 4xx. */
  async function lookAtRedirect(organisation: Organisation, name: string): Promise<Finding> {
    const redirectUri = redirectUriOf(config, organisation.id);
    const { url } = await begin(organisation, { asksAgain: false });
    const status = await fetch(url).then(
      (response) => response.status,
      // A redirect to its own sign-in page is refused by the guard, and a good sign here.
      () => 302,
    );
    return status < 400
      ? good(name, doctorCommand.organisationRedirect, { redirectUri })
      : bad('fault', name, 'organisationNoRedirect', { redirectUri, status });
  }
}

/** Tries the providers of organisations. */
export async function checkOrganisations(
  context: Context & Pick<AdminContext, 'clock'>,
  organisations: readonly Organisation[],
): Promise<readonly Finding[]> {
  const upstream = createUpstream(context);
  const now = context.clock.now();
  return (await Promise.all(organisations.map((each) => upstream.check(each, now)))).flat();
}

/** Returns whether the organisation's second step stands for our code, by what the operator demands of an answer. */
function isSecondStepDone(organisation: Organisation, claims: oidc.IDToken): boolean {
  const { secondFactor, amr, acr, maxAuthAge: age } = organisation;
  const { auth_time: at } = claims;
  const isNamed =
    amr.length + acr.length === 0 ||
    list(claims.amr).some((each) => amr.includes(each)) ||
    acr.includes(text(claims.acr));
  const isNew =
    age === null || (at !== undefined && Date.now() / 1000 - at <= age + LEEWAY_SECONDS);
  return secondFactor === 'theirs' && isNamed && isNew;
}

/** Codes of openid-client for an address that is no page of a provider. */
const NO_PAGE = [
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];

/** What the errors of openid-client have: the error that a provider answers, and the status of its answer. */
type Told = Error & { readonly code?: string; readonly error?: string; readonly status?: number };

/** @param otherwise the fault of an answer that openid-client refuses */
function faultOf(error: unknown, otherwise: UpstreamFault): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const { code, error: said, message, cause, ...told } = error as Told;
  const status = told.status ?? (cause instanceof Response ? cause.status : 0);
  if (status >= 500 || status === 429) return new UpstreamError(String(status), 'noAnswer');
  // An error of theirs could be any text.
  if (said !== undefined) return new UpstreamError(/^[\w.-]{1,60}$/.test(said) ? said : 'error');
  // What fetch throws comes without a code, often inside of an error.
  const isAnswer = error instanceof oidc.ClientError && code !== undefined;
  if (!isAnswer || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') {
    return new UpstreamError(cause instanceof Error ? cause.message : message, 'noAnswer');
  }
  return new UpstreamError(code, NO_PAGE.includes(code) ? 'noPage' : otherwise);
}
