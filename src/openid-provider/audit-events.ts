/** What happens at the token endpoint, for the operator's audit log: who got tokens, and who was refused why. */

import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { ProviderAuditEvent } from './ports.ts';

export function auditEvents(
  provider: Provider,
  audit: (event: ProviderAuditEvent) => Promise<void>,
  ipOf: (ctx: KoaContextWithOIDC) => string,
): void {
  const note = (kind: string, ctx: KoaContextWithOIDC, accountId: string | null): void => {
    const clientId = ctx.oidc.client?.clientId ?? null;
    // The answer is on its way; a log that cannot be written must not take it back.
    void audit({ kind, accountId, clientId, ip: ipOf(ctx) }).catch(() => undefined);
  };
  const accountOf = ({ oidc }: KoaContextWithOIDC): string | null =>
    oidc.entities.Account?.accountId ?? oidc.entities.RefreshToken?.accountId ?? null;

  provider.on('grant.success', (ctx) => {
    // A grant of ours that refuses answers by itself.
    if (ctx.status !== 200) return;
    const isRefresh = ctx.oidc.params?.grant_type === 'refresh_token';
    note(isRefresh ? 'hosted.refreshed' : 'hosted.tokens', ctx, accountOf(ctx));
  });
  provider.on('grant.revoked', (ctx) => note('hosted.revoked', ctx, accountOf(ctx)));
  provider.on('grant.error', (ctx) => note('hosted.refused', ctx, accountOf(ctx)));
}
