import { describe, expect, it } from 'vitest';
import { EMPTY_SIGN_IN } from '#domain/flow/initial-state.ts';
import type { Effect } from '#domain/flow/state.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import { to } from '#domain/flow/state.ts';
import { ScriptMissing } from '../lib/lazily.ts';
import { createFlow, type Runner } from './flow.ts';

const pause: Effect = { do: 'pause', ms: 0 };
const done: FlowEvent = { type: 'paused' };

/** Counts its events in `failures`; the first one asks for that many pauses. */
function counting(pauses: number): Runner['reduce'] {
  return (state, event) => {
    const failures = state.at === 'signIn' ? state.failures + 1 : 1;
    const effects =
      event.type === 'sendOtpAgain' ? Array.from({ length: pauses }, () => pause) : [];
    return to({ ...EMPTY_SIGN_IN, failures }, ...effects);
  };
}

function flowWith(loadRunner: () => Promise<Runner>) {
  return createFlow({ first: EMPTY_SIGN_IN, loadRunner, now: () => 0 });
}

describe('the runner', () => {
  it('rests only when everything that an event set off is done', async () => {
    const flow = flowWith(async () => ({
      reduce: counting(3),
      run: async () => done,
    }));
    await flow.send({ type: 'sendOtpAgain' });
    expect(flow.get()).toMatchObject({ failures: 4 });
  });

  it('turns whatever breaks into one event', async () => {
    const seen: string[] = [];
    const flow = flowWith(async () => ({
      reduce: (state, event) => {
        seen.push(event.type);
        return event.type === 'failed' ? to(state) : to(state, pause);
      },
      run: () => Promise.reject(new Error('broken')),
    }));
    await flow.send({ type: 'sendOtpAgain' });
    expect(seen).toEqual(['sendOtpAgain', 'failed']);
  });

  it('drops the results of effects from before a reset', async () => {
    let answerNow = () => undefined as void;
    const flow = flowWith(async () => ({
      reduce: counting(1),
      run: () => new Promise((resolve) => (answerNow = () => resolve(done))),
    }));
    const sent = flow.send({ type: 'sendOtpAgain' });
    await Promise.resolve();
    await Promise.resolve();
    flow.reset(EMPTY_SIGN_IN);
    answerNow();
    await sent;
    expect(flow.get()).toBe(EMPTY_SIGN_IN);
  });

  it('E1: leaves it to the form when a script did not load, of the rules or of an effect', async () => {
    const missing = () => Promise.reject(new ScriptMissing());
    const withoutRules = flowWith(missing);
    await expect(withoutRules.send({ type: 'sendOtpAgain' })).rejects.toThrow(ScriptMissing);
    const withoutEffect = flowWith(async () => ({ reduce: counting(1), run: missing }));
    await expect(withoutEffect.send({ type: 'sendOtpAgain' })).rejects.toThrow(ScriptMissing);
    expect(withoutEffect.get()).toMatchObject({ problem: null });
  });

  it('says so when it breaks otherwise, and tries again', async () => {
    let hasNetwork = false;
    const loadRunner: Runner = { reduce: counting(0), run: async () => null };
    const flow = flowWith(async () => {
      if (!hasNetwork) throw new Error('offline');
      return loadRunner;
    });
    await flow.send({ type: 'sendOtpAgain' });
    expect(flow.get()).toMatchObject({ problem: { say: { key: 'general' } } });
    hasNetwork = true;
    await flow.send({ type: 'sendOtpAgain' });
    expect(flow.get()).toMatchObject({ failures: 1, problem: null });
  });
});
