import { describe, expect, it } from 'vitest';
import { at, loginWith, run } from '../testing/samples.ts';
import type { FlowState } from './state.ts';
import type { FlowEvent } from './event.ts';

const OPEN: FlowState = {
  at: 'selectRole',
  step: 'ready',
  login: loginWith(3, 4),
  entrance: 'legalStaff',
  problem: null,
};
const choice = { kind: 'role', roleId: 4 } as const;
const chosen: FlowEvent = { type: 'choiceSubmitted', choice };

describe('the switcher', () => {
  it('[ROL-03] "Choosing nothing shows \'Please select a role\'", on the list and as a warning', () => {
    const { state, effects } = run(OPEN, [{ type: 'choiceSubmitted', choice: null }]);
    expect(state).toEqual({
      ...OPEN,
      problem: { where: 'field', field: 'role', say: { key: 'roleRequired' } },
    });
    expect(effects).toEqual([{ do: 'toast', tone: 'warning', say: { key: 'roleRequired' } }]);
  });

  it('[ROL-06] a choice becomes one hand-off, whatever is pressed meanwhile', () => {
    const { state, effects } = run(OPEN, [
      chosen,
      chosen,
      { type: 'choiceSubmitted', choice: null },
    ]);
    expect(state).toEqual({ ...OPEN, step: 'opening' });
    expect(effects).toEqual([{ do: 'issueHandoff', choice, entrance: 'legalStaff' }]);
  });

  it('[ROL-06] the answer is where the browser goes', () => {
    const { state, effects } = run(OPEN, [
      chosen,
      { type: 'handoffIssued', url: 'https://m.test/' },
    ]);
    expect(state).toEqual({ at: 'left' });
    expect(effects.slice(1)).toEqual([{ do: 'leave', url: 'https://m.test/' }]);
  });

  it('[RED-12] three hand-offs in a row stop with an explanation', () => {
    const { state } = run(OPEN, [chosen, { type: 'handoffRefused', say: { key: 'handoffLoop' } }]);
    expect(at(state, 'selectRole')).toMatchObject({
      step: 'ready',
      problem: { where: 'form', say: { key: 'handoffLoop' } },
    });
  });

  it('a failure gives the list back', () => {
    const { state, effects } = run(OPEN, [chosen, { type: 'failed' }]);
    expect(at(state, 'selectRole')).toMatchObject({
      step: 'ready',
      problem: { say: { key: 'general' } },
    });
    expect(effects.at(-1)).toMatchObject({ do: 'toast', say: { key: 'general' } });
    expect(run(state, [chosen]).effects).toHaveLength(1);
  });

  it('[SUP-20] a session that ended leads to the sign-in of the same door', () => {
    const { state, effects } = run(OPEN, [chosen, { type: 'sessionEnded' }]);
    expect(state).toEqual({ at: 'idle' });
    expect(effects.at(-1)).toEqual({ do: 'signInAgain', entrance: 'legalStaff' });
  });
});
