import type { DoneMessage, Effect, FlowEvent, FlowState, Say } from '#domain/flow/state.ts';
import { showToast } from '../../ui/toast.ts';
import type { Mover } from '../flow.ts';
import { sayText } from '../say.ts';
import { codeEffects } from './otp.ts';
import type { Deps, Handlers } from './deps.ts';
import { redirectEffects } from './redirect.ts';
import { type Begun, signInEffects } from './sign-in.ts';
import { signUpEffects } from './sign-up.ts';

/** All wishes of the flow and how each is granted. */
export function createPerform(deps: Deps): Mover['perform'] {
  const begun: Begun = { authorizeUrl: null };
  const handlers: Handlers<Effect['do']> = {
    ...signUpEffects(deps),
    ...signInEffects(deps, begun),
    ...codeEffects(deps),
    ...redirectEffects(deps, begun),
    async show({ screen, entrance }) {
      await deps.show(screen, entrance);
      return null;
    },
    async restart({ fallback, entrance }) {
      await deps.restart(fallback, entrance);
      return null;
    },
    async toast({ tone, say }, state) {
      // A problem stands on the page as well, and the focus goes to it: said once is enough.
      showToast(tone, await toastText(say), {
        isSilent: 'problem' in state && state.problem !== null,
      });
      return null;
    },
    async pause({ ms }) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return { type: 'paused' };
    },
  };
  return (effect, state) => {
    const handle = handlers[effect.do] as (
      effect: Effect,
      state: FlowState,
    ) => Promise<FlowEvent | null>;
    return handle(effect, state);
  };
}

/** The words of a toast; those of a later screen come with that screen's texts. */
async function toastText(say: Say | 'codeSent' | DoneMessage): Promise<string> {
  if (typeof say !== 'string') return sayText(say);
  if (say === 'codeSent') return (await import('#locales/en/otp.ts')).code.sent;
  if (say === 'passwordSet') return (await import('#locales/en/passwords.ts')).passwords.created;
  return (await import('#locales/en/pages.ts')).pages[say];
}
