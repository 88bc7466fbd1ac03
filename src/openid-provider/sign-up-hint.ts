/**
 * Applications that send people to sign up: `prompt=create` (Initiating User Registration via OpenID Connect 1.0), and
 * Auth0's `screen_hint=signup`.
 */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { textOf } from './text.ts';

const SIGN_UP = 'signup';

/** For discovery. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const;

/** Turns `create` into a sign-in that begins with the sign-up page, also in a pushed request. */
export function sendToSignUp({ oidc: { params } }: KoaContextWithOIDC): void {
  const prompts = textOf(params?.prompt).split(' ');
  if (!params || !prompts.includes('create')) return;
  // With a session the person signs up all the same.
  const others = prompts.filter((prompt) => prompt !== 'create' && prompt !== 'login');
  params.prompt = ['login', ...others].join(' ');
  params.screen_hint = SIGN_UP;
}

/** Whether a request asks for the sign-up page. */
export function wantsSignUp(params: Readonly<Record<string, unknown>>): boolean {
  return textOf(params.screen_hint) === SIGN_UP;
}
