/**
 * The first page of a sign-in: `prompt=create` (Initiating User Registration via OpenID Connect 1.0), and Auth0's
 * `screen_hint`.
 */

import type { KoaContextWithOIDC } from 'oidc-provider';
import { parameterText } from './text.ts';

const SIGN_UP = 'signup';

/** Auth0's values of `screen_hint`; others are ignored, as there. */
const PAGES = { [SIGN_UP]: 'signUp', 'reset-password': 'forgotPassword' } as const;

/** For discovery. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const;

/** Turns `create` into a sign-in that begins with the sign-up page, also in a pushed request. */
export function sendToSignUp({ oidc: { params } }: KoaContextWithOIDC): void {
  const prompts = parameterText(params?.prompt).split(' ');
  if (!params || !prompts.includes('create')) return;
  // With a session the person still signs up.
  const others = prompts.filter((prompt) => prompt !== 'create' && prompt !== 'login');
  params.prompt = ['login', ...others].join(' ');
  params.screen_hint = SIGN_UP;
}

export type FirstPage = 'signIn' | (typeof PAGES)[keyof typeof PAGES];

/** Returns the page that a request wants first. */
export function firstPageOf(params: Readonly<Record<string, unknown>>): FirstPage {
  const hint = parameterText(params.screen_hint);
  return Object.hasOwn(PAGES, hint) ? PAGES[hint as keyof typeof PAGES] : 'signIn';
}
