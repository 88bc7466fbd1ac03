import type { Page } from '@playwright/test';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import { isFullMatrix } from './support/matrix.ts';
import { DEMO_PASSWORD, demoEmail, type Member, newMember } from './support/people.ts';
import {
  enterCode,
  field,
  fillSignIn,
  heading,
  loginButton,
  open,
  signIn,
  signUp,
} from './support/screens.ts';
import { authToken } from './support/session.ts';
import { expect, test } from './support/test.ts';
import { openBrowser } from './support/cookie-browser.ts';
import { openPlace, type Place, type Topology } from './support/topologies.ts';

const WRONG = 'The username or password you entered is incorrect. Please try again.';
const NEW = 'Porch-Swing-9';

type Message = { readonly code: string | null; readonly link: string | null };

async function inbox(place: Place, to: string): Promise<readonly Message[]> {
  const answer = await fetch(`${place.direct}/dev/inbox.json?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as readonly Message[];
}

async function code(place: Place, to: string): Promise<string> {
  const codes = (await inbox(place, to)).flatMap((message) => message.code ?? []);
  return codes[0] ?? '';
}

/** The tenant makes its users in its own time; until then the portal asks for patience. */
async function untilMade(place: Place, email: string): Promise<void> {
  const path = `/api/user/GetUserStatusByUserName/${encodeURIComponent(email)}`;
  await expect
    .poll(async () => (await fetch(`${place.direct}${path}`)).status, { timeout: 30_000 })
    .toBe(200);
}

async function memberJourney(page: Page, place: Place, member: Member): Promise<void> {
  await test.step('signs up and proves the address', async () => {
    await signUp(page, member);
    await enterCode(page, await code(place, member.email));
    await expect(heading(page, 'Email verified')).toBeVisible();
    await untilMade(place, member.email);
  });

  await test.step('a wrong password reads as ever', async () => {
    await open(page, '/account/signin');
    await fillSignIn(page, { email: member.email, password: 'Not-Mine-1' });
    await loginButton(page).click();
    await expect(page.getByRole('main')).toContainText(WRONG);
  });

  await test.step('password, code, module; the password alone gives no bearer', async () => {
    await signIn(page, member);
    expect(await authToken(page)).toBeNull();
    await page.reload();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(place, member.email));
    await expect(heading(page, 'Member Intake')).toBeVisible();
    await expect(page.getByText('Welcome, Ada Winslow.')).toBeVisible();
  });

  await test.step('back at the portal the session is seen without a second code', async () => {
    await page.goto('/account/Redirect');
    await expect(heading(page, 'Member Intake')).toBeVisible();
  });

  await test.step('signs out there and here', async () => {
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/account\/Signout$/);
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await expect.poll(() => authToken(page)).toBeNull();
    await page.goto('/account/Redirect');
    await expect(heading(page, 'Login')).toBeVisible();
    await expect(heading(page, 'You are already signed in')).toBeHidden();
  });
}

async function newPassword(page: Page, place: Place, member: Member): Promise<void> {
  await test.step('forgets the password and sets a new one', async () => {
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(member.email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(page.getByText('Check your email')).toBeVisible();
    const links = (await inbox(place, member.email)).flatMap((message) => message.link ?? []);
    await open(page, links.find((link) => link.includes('resetLinkKey')) ?? '');
    await field(page, 'password').fill(NEW);
    await field(page, 'confirmPassword').fill(NEW);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page).toHaveURL(/SuccessResetPassword/);
  });

  await test.step('the old password is wrong now, the new one is right', async () => {
    await open(page, '/account/signin');
    await fillSignIn(page, member);
    await loginButton(page).click();
    await expect(page.getByRole('main')).toContainText(WRONG);
    await signIn(page, { email: member.email, password: NEW });
    await enterCode(page, await code(place, member.email));
    await expect(heading(page, 'Member Intake')).toBeVisible();
  });
}

async function staffJourney(page: Page, place: Place): Promise<void> {
  await test.step('legal staff by their own door', async () => {
    const email = demoEmail('legal');
    await signIn(page, { email, password: DEMO_PASSWORD }, '/legal-staff/signin');
    await enterCode(page, await code(place, email));
    await expect(heading(page, 'Member Intake')).toBeVisible();
  });
}

const TOPOLOGIES = ['one origin', 'one site', 'two sites'] satisfies Topology[];

for (const topology of TOPOLOGIES) {
  test(`[API-04] [GEN-05] a tenant by configuration only, ${topology}: the journeys of a member and of staff`, async () => {
    test.setTimeout(240_000);
    const place = await openPlace(topology);
    const { page, refused, close } = await openBrowser(place.url, {
      thirdPartyCookies: 'allowed',
    });
    try {
      const member = newMember();
      await memberJourney(page, place, member);
      // Between the portal and the tenant alone: where the browser sees them makes no difference.
      if (isFullMatrix || topology === 'two sites') await newPassword(page, place, member);
      await page.context().clearCookies();
      await staffJourney(page, place);
      expect(refused, 'no policy is in the way').toEqual([]);
    } finally {
      await close();
      await place.stop();
    }
  });
}

test(
  '[RED-05] [GEN-10] third-party cookies blocked, a tenant on another site: the right password leads to the help for this browser',
  { tag: '@full' },
  async () => {
    test.setTimeout(120_000);
    const place = await openPlace('two sites');
    const { page, close } = await openBrowser(place.url, { thirdPartyCookies: 'blocked' });
    try {
      await open(page, '/account/signin');
      await fillSignIn(page, { email: demoEmail('legal'), password: DEMO_PASSWORD });
      await loginButton(page).click();
      const help = page.getByRole('region', { name: 'Your browser is blocking sign-in' });
      await expect(help).toContainText('What you typed was right, but your browser hides');
      await expect(help).toContainText('Click the icon to the left of the address.');
      await expect(page).toHaveURL('/account/Redirect');
      expect(await authToken(page)).toBeNull();
      await expectAccessible(
        page,
        'the privacy banner after the password',
        isFullMatrix ? undefined : BRIEF_VIEWS,
      );
      await help.getByRole('button', { name: 'Try again' }).click();
      await expect(heading(page, 'Login')).toBeVisible();
    } finally {
      await close();
      await place.stop();
    }
  },
);

test(
  '[RED-04] third-party cookies blocked, a tenant on the same site: nothing is in the way',
  { tag: '@full' },
  async () => {
    test.setTimeout(120_000);
    const place = await openPlace('one site');
    const { page, close } = await openBrowser(place.url, { thirdPartyCookies: 'blocked' });
    try {
      await staffJourney(page, place);
    } finally {
      await close();
      await place.stop();
    }
  },
);
