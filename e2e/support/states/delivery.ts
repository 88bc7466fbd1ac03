import { expect, type Page } from '@playwright/test';
import type { Data } from '../../../src/contract/index.ts';
import { change, hold } from '../faults.ts';
import { demoEmail, newMember } from '../people.ts';
import { errorOf, field, openCodeEntry, signIn } from '../screens.ts';
import type { State, Tools } from './state.ts';

type Visit = Data<'getVisit'>;
type Delivery = NonNullable<Visit['delivery']>;
type Message = Delivery['messages'][number];

const CHANGE = '/api/OTP/ChangeAddress';
const VISIT = '/api/Visit/State';

const line = (page: Page, channel: 'Email' | 'Text') =>
  page
    .getByRole('list', { name: 'Where your code is' })
    .getByRole('listitem')
    .filter({ hasText: `${channel}: ` });
const failed = { state: 'failed', waitsForReceipt: false } as const;

/** The mail and the text with the code have become this, as the server would tell it. */
async function became(
  page: Page,
  news: { readonly email: Partial<Message>; readonly sms: Partial<Message> },
  more: Partial<Delivery> = {},
): Promise<void> {
  await change<Visit>(page, VISIT, (data) => ({
    ...data,
    delivery: data.delivery && {
      ...data.delivery,
      ...more,
      messages: data.delivery.messages.map((message) => ({
        ...message,
        ...(message.channel === 'email' ? news.email : news.sms),
      })),
    },
  }));
}

async function openChange(page: Page): Promise<void> {
  await openCodeEntry(page);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(field(page, 'email')).toBeFocused();
}

async function changeTo(page: Page, email: string): Promise<void> {
  await openChange(page);
  await field(page, 'email').fill(email);
  await page.getByRole('button', { name: 'Send the code there' }).click();
}

/** What became of the messages with the code (OTP-06, R17). */
export const DELIVERY_STATES: readonly State[] = [
  {
    name: 'code entry, messages on their way',
    screen: 'verifyOtp',
    async reach({ page }) {
      await change<Visit>(page, VISIT, (data) => ({ ...data, delivery: null }));
      await openCodeEntry(page);
      await expect(line(page, 'Email')).toHaveText(/^Email: .* on its way$/);
    },
  },
  {
    name: 'code entry, messages sent',
    screen: 'verifyOtp',
    async reach({ page }) {
      const sent = { state: 'sent', agoMs: 3000, waitsForReceipt: true } as const;
      await became(page, { email: sent, sms: sent });
      await openCodeEntry(page);
      await expect(line(page, 'Text')).toHaveText(/sent .*m$/);
    },
  },
  {
    name: 'code entry, messages late',
    screen: 'verifyOtp',
    async reach({ page }) {
      await became(page, {
        email: { state: 'sent', agoMs: 40_000, waitsForReceipt: true },
        sms: { state: 'queued', agoMs: 40_000 },
      });
      await openCodeEntry(page);
      await expect(line(page, 'Email')).toHaveText(/not there yet$/);
    },
  },
  {
    name: 'code entry, messages delivered',
    screen: 'verifyOtp',
    async reach({ page }) {
      await openCodeEntry(page);
      await expect(line(page, 'Email')).toHaveText(/arrived/);
      await expect(line(page, 'Text')).toHaveText(/arrived/);
    },
  },
  {
    name: 'code entry, text not delivered',
    screen: 'verifyOtp',
    reach: ({ page, account }) => textFailed({ page, account }, false),
  },
  {
    name: 'code entry, text not delivered, another way open',
    screen: 'verifyOtp',
    reach: ({ page, account }) => textFailed({ page, account }, true),
  },
  {
    name: 'code entry, nothing delivered',
    screen: 'verifyOtp',
    async reach({ page }) {
      await became(
        page,
        { email: { ...failed, reason: 'suppressed' }, sms: { ...failed, reason: 'invalid' } },
        { canAskNow: true },
      );
      await openCodeEntry(page);
      await expect(page.getByRole('button', { name: 'Click to resend' })).toBeVisible();
    },
  },
];

type Call = NonNullable<Delivery['call']>;

/** A call with the code of a sign-in has become this. */
async function called({ page, account }: Tools, call: Partial<Call>): Promise<void> {
  const whole: Call = { state: null, agoMs: 1000, againMs: 0, ...call };
  await became(
    page,
    { email: { state: 'delivered' }, sms: { state: 'delivered' } },
    { call: whole },
  );
  await signIn(page, await account());
  await page.locator('summary', { hasText: 'It has not come' }).click();
  await expect(page.getByRole('button', { name: 'Call me with my code' })).toBeVisible();
}

/** A call that says the code (VOI-07). */
export const CALL_STATES: readonly State[] = [
  {
    name: 'code entry, a call is offered',
    screen: 'verifyOtp',
    reach: (tools) => called(tools, {}),
  },
  {
    name: 'code entry, a call rings',
    screen: 'verifyOtp',
    reach: (tools) => called(tools, { state: 'calling', againMs: 45_000 }),
  },
  {
    name: 'code entry, a call said the code',
    screen: 'verifyOtp',
    reach: (tools) => called(tools, { state: 'said' }),
  },
  {
    name: 'code entry, nobody answered the call',
    screen: 'verifyOtp',
    reach: (tools) => called(tools, { state: 'noAnswer' }),
  },
  {
    name: 'code entry, a call failed',
    screen: 'verifyOtp',
    reach: (tools) => called(tools, { state: 'failed' }),
  },
];

/** At sign-in, where nobody changes an address. */
async function textFailed(
  { page, account }: Pick<Tools, 'page' | 'account'>,
  canAskNow: boolean,
): Promise<void> {
  await became(
    page,
    { email: { state: 'delivered' }, sms: { ...failed, reason: 'notAllowed' } },
    { otherWays: [3], canAskNow },
  );
  await signIn(page, await account());
  await expect(line(page, 'Text')).toHaveText(/^Text: .* not sent$/);
}

/** "Change the address", of a sign-up that waits for its code. */
export const ADDRESS_STATES: readonly State[] = [
  {
    name: 'code entry, changing the address',
    screen: 'verifyOtp',
    reach: ({ page }) => openChange(page),
  },
  {
    name: 'code entry, changing to no address',
    screen: 'verifyOtp',
    async reach({ page }) {
      await changeTo(page, 'ada@');
      await expect(errorOf(page, 'email')).toHaveText('Please enter a valid email address');
    },
  },
  {
    name: 'code entry, changing to an address in use',
    screen: 'verifyOtp',
    async reach({ page }) {
      await changeTo(page, demoEmail('member'));
      await expect(errorOf(page, 'email')).toContainText('already associated with other account');
    },
  },
  {
    name: 'code entry, sending to the changed address',
    screen: 'verifyOtp',
    isPassing: true,
    async reach({ page }) {
      await hold(page, CHANGE);
      await changeTo(page, newMember().email);
      await expect(page.getByRole('button', { name: 'Sending the code…' })).toBeVisible();
    },
  },
];
