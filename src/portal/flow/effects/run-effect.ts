import { passwordDone } from '#texts/password-done.ts';
import type { DoneMessage } from '#domain/flow/done.ts';
import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import { STEP_GAP_MS } from '#domain/flow/step-gap.ts';
import type { FlowState } from '#domain/flow/state.ts';
import type { Say } from '#domain/flow/terms.ts';
import type { Runner } from '../flow.ts';
import { sayText } from '../say.ts';
import { otpEffects } from './otp.ts';
import type { Deps, EffectHandlers } from './deps.ts';
import { redirectEffects } from './redirect.ts';
import { type Begun, signInEffects } from './sign-in.ts';
import { signUpEffects } from './sign-up.ts';

/** Combines the handlers of all effects. */
export function createRunEffect(deps: Deps): Runner['run'] {
  const begun: Begun = { authorizeUrl: null };
  let showing = Promise.resolve();
  const handlers: EffectHandlers = {
    ...signUpEffects(deps),
    ...signInEffects(deps, begun),
    ...otpEffects(deps),
    ...redirectEffects(deps, begun),
    async show({ screen, entrance }) {
      showing = deps.show(screen, entrance);
      await showing;
      return null;
    },
    async restart({ fallback, entrance }) {
      await deps.restart(fallback, entrance);
      return null;
    },
    async toast({ tone, say }, state) {
      // The page has the same words: without their file there is no toast.
      const text = await toastText(say, state).catch(() => null);
      if (text === null) return null;
      // A message of a screen change appears on the new screen: the old one's toast closes with it.
      await showing;
      // The page shows a problem too and moves the focus to it: one announcement is enough.
      deps.toast(tone, text, { isSilent: 'problem' in state && state.problem !== null });
      return null;
    },
    async signInAgain({ entrance }) {
      await deps.signInAgain(entrance);
      return null;
    },
    async pause({ ms }) {
      const { stepGapMs = STEP_GAP_MS.usual } = deps.settings;
      await deps.pause(ms === 'stepGap' ? stepGapMs : ms);
      return { type: 'paused' };
    },
  };
  return (effect, state) => (handlers[effect.do] as Runner['run'])(effect, state);
}

/** Returns the text of a toast. Long catalogues of other screens load when one is due. */
async function toastText(say: Say | 'otpSent' | DoneMessage, state: FlowState): Promise<string> {
  if (typeof say !== 'string') return sayText(say);
  if (say === 'otpSent') {
    const { sent } = (await import('#texts/otp.ts')).otp;
    return sent[state.at === 'otp' ? state.otp.medium : OTP_MEDIUM.both];
  }
  if (say === 'passwordSet') return passwordDone.created;
  return (await import('#texts/pages.ts')).pages[say];
}
