/** Writes the events of the token endpoint to the audit log: tokens issued, refreshed, revoked, refused. */

import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { ProviderAuditEvent } from './ports.ts';
import { oauthErrorText } from './refused-requests.ts';

/** Subscribes to the provider's events and writes them to the audit log. */
export function auditEvents(
  provider: Provider,
  audit: (event: ProviderAuditEvent) => Promise<void>,
  ipOf: (ctx: KoaContextWithOIDC) => string,
): void {
  const note = (
    kind: ProviderAuditEvent['kind'],
    ctx: KoaContextWithOIDC,
    accountId: string | null,
    reason?: string,
  ): void => {
    const clientId = ctx.oidc.client?.clientId ?? null;
    // The response is already on its way; a failing audit log must not turn it into an error.
    void audit({
      kind,
      accountId,
      clientId,
      ip: ipOf(ctx),
      ...(reason !== undefined && { reason }),
    }).catch(() => undefined);
  };
  const accountOf = ({ oidc }: KoaContextWithOIDC): string | null =>
    oidc.entities.Account?.accountId ?? oidc.entities.RefreshToken?.accountId ?? null;

  provider.on('grant.success', (ctx) => {
    // Our own grant handlers answer refusals themselves, without an error event.
    if (ctx.status !== 200) return;
    const isRefresh = ctx.oidc.params?.grant_type === 'refresh_token';
    note(isRefresh ? 'hosted.refreshed' : 'hosted.tokens', ctx, accountOf(ctx));
  });
  provider.on('grant.revoked', (ctx) => note('hosted.revoked', ctx, accountOf(ctx)));
  provider.on('grant.error', (ctx, error) =>
    note('hosted.refused', ctx, accountOf(ctx), oauthErrorText(error)),
  );
}
