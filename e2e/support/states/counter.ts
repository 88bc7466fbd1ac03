import { expect } from '@playwright/test';
import { shareByApi } from '../counter.ts';
import { DEMO_PASSWORD, demoEmail } from '../people.ts';
import { heading } from '../screens.ts';
import { signInByApi } from '../session.ts';
import { awake } from '../test.ts';
import type { State } from './state.ts';

/** Longer than four minutes: the bar asks. */
const ASKS_AFTER_MS = 245_000;

/** Counter mode: the switch, the bar, and the start of the next person. */
export const COUNTER_STATES: readonly State[] = [
  {
    name: 'shared device, to be switched on',
    screen: 'sharedDevice',
    async reach({ page, code }) {
      await signInByApi(page, { email: demoEmail('admin'), password: DEMO_PASSWORD }, code);
      await expect(page).toHaveURL(/\/demo\//);
      await page.goto('/account/me/shared-device');
      await expect(heading(page, 'Shared device')).toBeVisible();
      await awake(page);
    },
  },
  {
    name: 'shared device, ready for the next person',
    screen: 'counterNext',
    async reach({ page, code }) {
      await shareByApi(page, code);
      await page.goto('/account/Next');
      await expect(heading(page, 'Ready for the next person')).toBeVisible();
      await awake(page);
    },
  },
  {
    name: 'shared device, a way in',
    screen: 'ownDevice',
    isPassing: true,
    async reach({ page, code }) {
      await shareByApi(page, code);
      await page.goto('/account/OwnDevice');
      await expect(heading(page, 'Not on a shared device')).toBeVisible();
      await awake(page);
    },
  },
  {
    name: 'shared device, the bar',
    screen: 'signIn',
    isPassing: true,
    async reach({ page, code }) {
      await shareByApi(page, code);
      await page.goto('/account/signin');
      await awake(page);
      await expect(page.getByRole('region', { name: 'Shared device' })).toBeVisible();
    },
  },
  {
    name: 'shared device, the bar asks',
    screen: 'signIn',
    isPassing: true,
    async reach({ page, code }) {
      await shareByApi(page, code);
      await page.goto('/account/signin');
      await awake(page);
      await page.clock.runFor(ASKS_AFTER_MS);
      await expect(page.getByRole('button', { name: 'I need more time' })).toBeVisible();
    },
  },
];
