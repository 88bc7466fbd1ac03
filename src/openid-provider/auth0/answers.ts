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

export const WRONG_PASSWORD = 'Wrong email or password.';
