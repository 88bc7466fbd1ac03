import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallName } from '#contract/routes.ts';
import { failed, ok, refused } from '../testing/test-flow.ts';
import type { Api, ApiResult } from './api.ts';
import { isCaptchaNeeded, withCaptcha } from './captcha.ts';

const SECRET = { hmacSignatureSecret: 'a secret' };
const challenge = await createChallenge({
  algorithm: 'PBKDF2/SHA-256',
  cost: 2,
  counter: 3,
  deriveKey,
  ...SECRET,
});

type Call = { name: CallName; input: { readonly headers?: Record<string, string> } };

/** A server that answers each call as told, in turn. */
function serverOf(answers: Partial<Record<CallName, ApiResult<unknown>[]>>) {
  const calls: Call[] = [];
  const call = async (name: CallName, input: Call['input'] = {}) => {
    calls.push({ name, input });
    return answers[name]?.shift() ?? failed(500);
  };
  return { calls, api: withCaptcha({ call: call as never } satisfies Api) };
}

const BODY = { body: { userName: 'm@example.org', emailID: 'm@example.org' } };
const NEEDED = () => refused('CAPTCHA_NEEDED');

describe('a call that is asked for a proof of work', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('does it and is repeated with it, as it was', async () => {
    const { api, calls } = serverOf({
      forgotPassword: [NEEDED(), ok(true)],
      getChallenge: [ok(challenge)],
    });
    expect(await api.call('forgotPassword', BODY)).toEqual(ok(true));
    expect(calls.map(({ name }) => name)).toEqual([
      'forgotPassword',
      'getChallenge',
      'forgotPassword',
    ]);
    expect(calls[1]?.input).toEqual({ body: { purpose: 'forgotPassword' } });
    expect(calls[2]?.input).toMatchObject(BODY);
    const read = JSON.parse(atob(calls[2]?.input.headers?.['x-captcha'] ?? ''));
    expect(read.challenge).toEqual(challenge);
    expect(await verifySolution({ ...read, ...SECRET, deriveKey })).toMatchObject({
      verified: true,
    });
  });

  it('is repeated once', async () => {
    const { api, calls } = serverOf({
      forgotPassword: [NEEDED(), NEEDED()],
      getChallenge: [ok(challenge)],
    });
    expect(isCaptchaNeeded(await api.call('forgotPassword', BODY))).toBe(true);
    expect(calls).toHaveLength(3);
  });

  it('leaves every other answer and every other call alone', async () => {
    const answers = { forgotPassword: [failed(503)], getCountries: [NEEDED()] };
    const { api, calls } = serverOf(answers);
    expect(await api.call('forgotPassword', BODY)).toEqual(failed(503));
    expect(await api.call('getCountries')).toEqual(NEEDED());
    expect(calls).toHaveLength(2);
  });

  it('ends where the browser cannot do the work', async () => {
    vi.stubGlobal('crypto', {});
    const { api } = serverOf({ forgotPassword: [NEEDED()], getChallenge: [ok(challenge)] });
    expect(isCaptchaNeeded(await api.call('forgotPassword', BODY))).toBe(true);
  });

  it('tells a limit or a lost connection as what it is', async () => {
    const limit = failed(429, { retryAfterSeconds: 30 } as never);
    const { api } = serverOf({ forgotPassword: [NEEDED()], getChallenge: [limit] });
    expect(await api.call('forgotPassword', BODY)).toMatchObject({ kind: 'failed', status: 429 });
  });
});
