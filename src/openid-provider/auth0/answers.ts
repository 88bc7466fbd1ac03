/** Error responses in Auth0's words, for the endpoints that oidc-provider does not have. */

import type { Context } from '../context.ts';

/** Answers with an error in Auth0's format. */
export function refuse(ctx: Context, status: number, error: string, description: string): void {
  ctx.status = status;
  ctx.body = { error, error_description: description };
}

/** Answers 429 with the seconds to wait. */
export function refuseTooMany(ctx: Context, retryAfterSeconds: number): void {
  ctx.set('Retry-After', String(retryAfterSeconds));
  refuse(ctx, 429, 'too_many_attempts', 'Too many attempts. Please wait before you try again.');
}

/** Asks for a proof of work, in Auth0's words (security R19). */
export function refuseUnverified(ctx: Context): void {
  refuse(ctx, 401, 'requires_verification', 'Suspicious request requires verification');
}

/** Refuses a grant that the client may not use. */
export function refuseGrant(ctx: Context, grant: string): void {
  const why = `Grant type '${grant}' not allowed for the client.`;
  refuse(ctx, 403, 'unauthorized_client', why);
}

export const WRONG_PASSWORD = 'Wrong email or password.';
