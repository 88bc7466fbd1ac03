/**
 * The second factor of the password grants: Auth0's /mfa/challenge and its two grants, over the portal's one-time
 * codes.
 */

import { randomBytes } from 'node:crypto';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { ACR } from '../acr.ts';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { allowOrigin } from '../cross-origin.ts';
import type { IssueTokens } from '../non-browser-tokens.ts';
import { MFA_OOB, MFA_OTP } from '../grants.ts';
import type { OneTimeCodes, Visitor } from '../ports.ts';
import type { OAuthClient } from '../client-port.ts';
import type { ChallengeRecord, ProviderStore } from '../store-port.ts';
import { readJsonObject } from '../request-body.ts';
import { hashedId } from '../hashed-id.ts';
import { refuse, refuseTooMany } from './answers.ts';
import { parameterText } from '../text.ts';

const LIFE_MS = 10 * MINUTE_MS;

type Dependencies = {
  readonly provider: Provider;
  readonly store: ProviderStore['challenges'];
  readonly codes: OneTimeCodes;
  readonly clients: ClientDirectory;
  readonly issue: IssueTokens;
  readonly now: () => Date;
  readonly visitorOf: (ctx: Context) => Visitor;
};

export type Mfa = ReturnType<typeof createMfa>;

const badToken = (ctx: Context): void =>
  refuse(ctx, 403, 'invalid_grant', 'Malformed or expired mfa_token.');
const oobCodeOf = (handle: string): string => hashedId('oob', handle);
const sentCode = ({ handle }: ChallengeRecord, oobCode: unknown) =>
  handle !== null && oobCode === oobCodeOf(handle) ? handle : null;

/** Creates the calls of the second factor. */
export function createMfa(deps: Dependencies) {
  const { provider, store, codes, clients, issue, now, visitorOf } = deps;
  const hashOf = (token: unknown): string => hashedId('mfa', parameterText(token));

  /** Returns the unexpired challenge of this token; null for another client's token. */
  async function find(token: unknown, clientId: unknown): Promise<ChallengeRecord | null> {
    const found = await store.find(hashOf(token));
    if (!found || found.clientId !== clientId) return null;
    return found.expiresAt.getTime() > now().getTime() ? found : null;
  }

  /** Asks an account's app for its code: Auth0's clients redeem one without a challenge. Others get `null`. */
  async function askApp({ accountId, hash }: ChallengeRecord, ctx: Context) {
    if (accountId === null || !(await codes.usesApp(accountId))) return null;
    const sent = await codes.sendSecondFactor(accountId, null, visitorOf(ctx));
    if (sent.kind === 'blocked') return null;
    return (await store.recordSentCode(hash, sent.handle)) ? sent.handle : null;
  }

  async function redeem(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, params = {} } = ctx.oidc;
    const token = params.mfa_token;
    const found = await find(token, client?.clientId);
    if (!found?.accountId) return badToken(ctx);
    const { accountId, details } = found;
    const isOob = params.grant_type === MFA_OOB;
    const [wrong, noHandle, code] = isOob
      ? (['Invalid binding_code.', 'Invalid oob_code.', params.binding_code] as const)
      : (['Invalid otp_code.', 'Invalid otp_code.', params.otp] as const);
    const handle = isOob
      ? sentCode(found, params.oob_code)
      : (found.handle ?? (await askApp(found, ctx)));
    if (!handle) return refuse(ctx, 403, 'invalid_grant', noHandle);
    const verdict = await codes.verify(accountId, handle, parameterText(code), visitorOf(ctx));
    if (verdict.kind === 'blocked') return refuseTooMany(ctx, verdict.retryAfterSeconds);
    if (verdict.kind !== 'ok') return refuse(ctx, 403, 'invalid_grant', wrong);
    const { scope = '', audience = '' } = details;
    // Of two concurrent requests with the right code, one gets the tokens.
    const claim = async () => (await store.take(hashOf(token))) !== null;
    const acr = verdict.isOfApp ? ACR.passwordAndAppCode : ACR.passwordAndCode;
    const signIn = { accountId, amr: ['pwd', 'otp'], acr, scope, audience };
    if (!(await issue(ctx, signIn, claim))) badToken(ctx);
  }

  provider.registerGrantType(MFA_OOB, redeem, ['mfa_token', 'oob_code', 'binding_code']);
  provider.registerGrantType(MFA_OTP, redeem, ['mfa_token', 'otp']);

  return {
    /** Returns the mfa_token for a verified password; it is valid only for the second step. */
    async begin(
      client: OAuthClient,
      accountId: string,
      asked: { readonly scope: string; readonly audience: string },
    ): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await store.put({
        hash: hashOf(token),
        clientId: client.clientId,
        accountId,
        handle: null,
        details: asked,
        expiresAt: new Date(now().getTime() + LIFE_MS),
      });
      return token;
    },

    /** POST /mfa/challenge: sends the code. */
    async challenge(ctx: Context): Promise<void> {
      const body = await readJsonObject(ctx.req);
      allowOrigin(ctx, clients, await clients.find(body.client_id));
      const found = await find(body.mfa_token, body.client_id);
      if (!found?.accountId) return badToken(ctx);
      const sent = await codes.sendSecondFactor(found.accountId, found.handle, visitorOf(ctx));
      if (sent.kind === 'blocked') return refuseTooMany(ctx, sent.retryAfterSeconds);
      // A password reset may have ended the challenge meanwhile.
      if (!(await store.recordSentCode(found.hash, sent.handle))) return badToken(ctx);
      if (sent.isOfApp) {
        ctx.body = { challenge_type: 'otp' };
        return;
      }
      ctx.body = {
        challenge_type: 'oob',
        oob_code: oobCodeOf(sent.handle),
        binding_method: 'prompt',
      };
    },
  };
}
