import { describe, expect, it } from 'vitest';
import { reduce } from './flow.ts';
import { activationState } from './activation.ts';
import type { FlowEvent } from './event.ts';

const LINK = {
  userId: 7,
  registrationId: 'reg-7',
  platform: 1,
  key: 'key-7',
  userActivationId: 'link-7',
};
const proofFor = (signUpPlatform: number) => ({
  otpId: 'proof-7',
  userId: 7,
  registrationId: 'reg-7',
  signUpPlatform,
  email: 'm•••@example.org',
});
const PROOF = proofFor(1);

function after(...events: readonly FlowEvent[]) {
  let step: ReturnType<typeof reduce> = { state: activationState(LINK), effects: [] };
  for (const event of events) step = reduce(step.state, event, 0);
  return step;
}

const asked: FlowEvent = { type: 'linkConfirmAsked' };
const confirmed = (proof: typeof PROOF | null): FlowEvent => ({ type: 'linkConfirmed', proof });
const checked = (isAuthUser: boolean): FlowEvent => ({ type: 'authUserChecked', isAuthUser });

describe('[ACT-03] the button of a mailed link', () => {
  it('asks the server, once', () => {
    expect(after(asked).effects).toEqual([{ do: 'confirmLink', link: LINK }]);
    expect(after(asked, asked).effects).toEqual([]);
  });

  it('[OTP-09] goes on as a code does: is there a password already?', () => {
    expect(after(asked, confirmed(PROOF)).effects).toEqual([
      { do: 'checkAuthUser', email: PROOF.email },
    ]);
  });

  it('[OTP-11] then activates, and ends at the congratulation', () => {
    expect(after(asked, confirmed(PROOF), checked(false)).effects).toEqual([
      { do: 'activate', proof: PROOF, password: null },
    ]);
    const { state, effects } = after(asked, confirmed(PROOF), checked(false), {
      type: 'activated',
    });
    expect(state).toEqual({ at: 'done', message: 'activated' });
    expect(effects.at(-1)).toEqual({ do: 'show', screen: 'congratulation' });
  });

  it('[OTP-09] an old password still counts', () => {
    const { state } = after(asked, confirmed(PROOF), checked(true), { type: 'activated' });
    expect(state).toEqual({ at: 'done', message: 'oldPassword' });
  });

  it('[OTP-10] another platform sets its first password', () => {
    const { state } = after(asked, confirmed(proofFor(5)), checked(false));
    expect(state).toMatchObject({ at: 'setPassword', proof: proofFor(5) });
  });

  it('an account that is active already has nothing to prove', () => {
    expect(after(asked, confirmed(null)).state).toEqual({ at: 'done', message: 'activated' });
  });

  it('a link that is over meanwhile says so, and the button is there again', () => {
    const { state } = after(asked, { type: 'linkRefused', text: 'Over' });
    expect(state).toMatchObject({
      step: 'ready',
      problem: { where: 'form', say: { text: 'Over' } },
    });
  });
});
