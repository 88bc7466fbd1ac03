import type { CaptchaPurpose } from '#contract/captcha.ts';
import type { Data } from '#contract/index.ts';
import { type CallName, CAPTCHA_HEADER } from '#contract/routes.ts';
import type { Api, ApiResult, Input } from './api.ts';

/** The calls that may need a captcha, with its purpose. For a password the hosted login decides. */
const PURPOSES: Partial<Record<CallName, CaptchaPurpose>> = {
  createUser: 'signUp',
  createAcademyUser: 'signUp',
  forgotPassword: 'forgotPassword',
  updatePassword: 'resetPassword',
};

const FLAG = 'CAPTCHA_NEEDED';

/** The header that carries a solution; `refused` when this browser cannot solve the captcha. */
export type SolvedCaptcha =
  | { readonly kind: 'ok'; readonly data: Readonly<Record<string, string>> }
  | Exclude<ApiResult<never>, { kind: 'ok' }>;

/** Fetches a challenge and solves it in the background. The visitor has nothing to do. */
export async function solveCaptcha(api: Api, purpose: CaptchaPurpose): Promise<SolvedCaptcha> {
  const challenge = await api.call('getChallenge', { body: { purpose } });
  if (challenge.kind !== 'ok') return { ...challenge, data: null } as SolvedCaptcha;
  try {
    const { solve } = await import('./solve.ts');
    const solution = await solve(challenge.data);
    if (!solution) return REFUSED;
    const text = JSON.stringify({ challenge: challenge.data, solution });
    return { kind: 'ok', data: { [CAPTCHA_HEADER]: btoa(text) } };
  } catch {
    // No WebCrypto (plain http, an old browser), or the chunk did not load.
    return REFUSED;
  }
}

const REFUSED: SolvedCaptcha = { kind: 'refused', errorFlag: FLAG, messages: [], data: null };

/** Solves a captcha and makes the call with the solution. */
export async function callWithSolution<Name extends CallName>(
  api: Api,
  name: Name,
  input: Input<Name>,
  purpose: CaptchaPurpose,
): Promise<ApiResult<Data<Name>>> {
  const solved = await solveCaptcha(api, purpose);
  if (solved.kind !== 'ok') return solved;
  return api.call(name, { ...input, headers: solved.data });
}

/** Wraps the API: a call that is refused for a missing captcha is repeated once with a solution. */
export function withCaptcha(api: Api): Api {
  return {
    async call(name, input = {}) {
      const purpose = PURPOSES[name];
      const result = await api.call(name, input);
      if (!purpose || !isCaptchaNeeded(result)) return result;
      return callWithSolution(api, name, input, purpose);
    },
  };
}

/** Returns whether this browser cannot solve the captcha, after `withCaptcha`. */
export function isCaptchaNeeded(result: ApiResult<unknown>): boolean {
  return result.kind === 'refused' && result.errorFlag === FLAG;
}
