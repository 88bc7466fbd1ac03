import { vi } from 'vitest';
import { reduce } from '#domain/flow/flow.ts';
import { stateFor } from '#domain/flow/initial-state.ts';
import type { FlowState } from '#domain/flow/state.ts';
import { EMPTY_VISIT } from '#domain/flow/visit.ts';
import type { CallName } from '#contract/routes.ts';
import type { ApiResult } from '../lib/api.ts';
import type { Authentication, SessionCheck } from '../lib/identity-client.ts';
import { createRunEffect } from '../flow/effects/run-effect.ts';
import { createFlow } from '../flow/flow.ts';

type Answer = ApiResult<unknown>;

export const ok = (data: unknown): Answer => ({ kind: 'ok', messages: [], data });
export const refused = (errorFlag: string, messages: readonly string[] = []): Answer => ({
  kind: 'refused',
  errorFlag,
  messages,
  data: null,
});
export const failed = (status: number, more: Partial<Answer> = {}): Answer =>
  ({ kind: 'failed', status, errorFlag: null, retryAfterSeconds: null, ...more }) as Answer;

export const SENT = {
  id: 'code-1',
  otpSendMedium: 4,
  otpSendOn: 'm•••@example.org, ••• ••90',
  sentTo: { email: 'm•••@example.org', phone: '••• ••90' },
  remainingMs: 120_000,
  canExtend: true,
};

/** The real reducer and effect handlers, with a server and a hosted login that answer as told. */
export function createTestFlow(first: FlowState = stateFor('signIn', 'portal', EMPTY_VISIT, 0)) {
  const session = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => session.get(key) ?? null,
    setItem: (key: string, value: string) => session.set(key, value),
    removeItem: (key: string) => session.delete(key),
  });
  const answers: Partial<Record<CallName, Answer | Answer[]>> = {};
  const calls: { name: CallName; input: Record<string, unknown> }[] = [];
  const shown: string[] = [];
  const left: string[] = [];
  const toasts: { tone: string; text: string }[] = [];
  const checks: SessionCheck[] = [];
  const checked: { url: string; ticket: string | undefined }[] = [];
  let interaction: string | null = null;
  let authentication: Authentication = { kind: 'ok', loginTicket: 'ticket-1' };
  const refusals: Authentication[] = [];

  const run = createRunEffect({
    api: {
      call: (async (name: CallName, input: Record<string, unknown> = {}) => {
        calls.push({ name, input });
        const answer = answers[name];
        return (Array.isArray(answer) ? answer.shift() : answer) ?? failed(500);
      }) as never,
    },
    settings: {
      hostedLogin: { base: 'https://idp.test/', clientId: 'portal', realm: 'R' },
      help: { phone: '+1 555 010 0199', email: 'help@example.test' },
    } as never,
    identity: {
      authenticate: async () => refusals.shift() ?? authentication,
      checkSession: async (url, options) => {
        checked.push({ url, ticket: options?.loginTicket });
        return checks.shift() ?? { kind: 'timeout' };
      },
    },
    subtenantId: () => 742,
    interaction: () => interaction,
    offersKey: async () => false,
    nextPage: () => null,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    userAgent: navigator.userAgent,
    show: async (screen) => void shown.push(screen),
    restart: async (fallback) => void shown.push(`restart or ${fallback}`),
    signInAgain: async () => void shown.push('signIn, with the reason'),
    leave: (url) => void left.push(url),
    toast: (tone, text) => toasts.push({ tone, text }),
    now: () => 0,
  });
  const flow = createFlow({ first, loadRunner: async () => ({ reduce, run }), now: () => 0 });
  return {
    flow,
    answers,
    calls,
    shown,
    left,
    toasts,
    checks,
    checked,
    session,
    /** Answers of the hosted login before the final one. */
    refusals,
    setInteraction: (value: string) => (interaction = value),
    setAuthentication: (value: Authentication) => (authentication = value),
  };
}
