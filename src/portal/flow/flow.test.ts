import { describe, expect, it } from 'vitest';
import { EMPTY_SIGN_IN } from '#domain/flow/initial-state.ts';
import type { Effect, FlowEvent } from '#domain/flow/state.ts';
import { to } from '#domain/flow/state.ts';
import { createFlow, type Mover } from './flow.ts';

const pause: Effect = { do: 'pause', ms: 0 };
const done: FlowEvent = { type: 'paused' };

/** Counts its events in `failures`; the first one asks for `wishes` pauses. */
function counting(wishes: number): Mover['next'] {
  return (state, event) => {
    const failures = state.at === 'signIn' ? state.failures + 1 : 1;
    const effects =
      event.type === 'sendCodeAgain' ? Array.from({ length: wishes }, () => pause) : [];
    return to({ ...EMPTY_SIGN_IN, failures }, ...effects);
  };
}

function flowWith(mover: () => Promise<Mover>) {
  return createFlow({ first: EMPTY_SIGN_IN, mover, now: () => 0 });
}

describe('the runner', () => {
  it('rests only when everything that a fact set off is done', async () => {
    const flow = flowWith(async () => ({
      next: counting(3),
      perform: async () => done,
    }));
    await flow.send({ type: 'sendCodeAgain' });
    expect(flow.get()).toMatchObject({ failures: 4 });
  });

  it('turns whatever breaks into one fact', async () => {
    const seen: string[] = [];
    const flow = flowWith(async () => ({
      next: (state, event) => {
        seen.push(event.type);
        return event.type === 'failed' ? to(state) : to(state, pause);
      },
      perform: () => Promise.reject(new Error('broken')),
    }));
    await flow.send({ type: 'sendCodeAgain' });
    expect(seen).toEqual(['sendCodeAgain', 'failed']);
  });

  it('drops the answers to wishes from before a fresh start', async () => {
    let answerNow = () => undefined as void;
    const flow = flowWith(async () => ({
      next: counting(1),
      perform: () => new Promise((resolve) => (answerNow = () => resolve(done))),
    }));
    const sent = flow.send({ type: 'sendCodeAgain' });
    await Promise.resolve();
    await Promise.resolve();
    flow.reset(EMPTY_SIGN_IN);
    answerNow();
    await sent;
    expect(flow.get()).toBe(EMPTY_SIGN_IN);
  });

  it('says so when not even the rules can be fetched, and tries again', async () => {
    let hasNetwork = false;
    const mover: Mover = { next: counting(0), perform: async () => null };
    const flow = flowWith(async () => {
      if (!hasNetwork) throw new Error('offline');
      return mover;
    });
    await flow.send({ type: 'sendCodeAgain' });
    expect(flow.get()).toMatchObject({ problem: { say: { key: 'general' } } });
    hasNetwork = true;
    await flow.send({ type: 'sendCodeAgain' });
    expect(flow.get()).toMatchObject({ failures: 1, problem: null });
  });
});
