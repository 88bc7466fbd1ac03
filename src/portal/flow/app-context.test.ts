import { expect, test } from 'vitest';
import { EMPTY_VISIT, type VisitState } from '#domain/flow/visit.ts';
import type { Boot } from '#contract/boot.ts';
import { createAppContext } from './app-context.ts';
import type { ScreenModule } from './view.ts';

test('[NOS-09] a page drawn by a server that has run for long says what is left of the code', () => {
  const code: NonNullable<VisitState['code']> = {
    id: 'c',
    userId: 7,
    registrationId: null,
    signUpPlatform: 1,
    email: null,
    otpType: 'TWOFACTORAUTHENTICATION',
    entrance: 'portal',
    medium: 3,
    sentTo: { email: 'a•••@example.org', phone: null },
    remainingMs: 50_000,
    canExtend: true,
    mode: 'signIn',
  };
  const before = performance.now();
  const context = createAppContext({
    boot: { screen: 'verifyOtp', visit: { ...EMPTY_VISIT, code }, subtenant: {} } as Boot,
    place: { path: '/account/verifyOtp', search: '' },
    module: {} as ScreenModule,
    load: () => Promise.reject(new Error('no other screen')),
    origin: 'http://localhost:3000',
  });
  const state = context.flow.get();
  expect(state.at === 'otp' && state.deadline).toBeGreaterThanOrEqual(code.remainingMs + before);
});
