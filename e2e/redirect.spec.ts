import type { Page, Route } from '@playwright/test';
import { DEMO_PASSWORD, demoEmail } from './support/people.ts';
import { enterCode, fillSignIn, heading, loginButton, open, signIn } from './support/screens.ts';
import { authToken, handOffStatus, signInWithCode, silentCheck } from './support/session.ts';
import { test } from './support/state-test.ts';
import { expect } from './support/test.ts';

// The steps are as far apart as people see them.
test.use({ settings: { PORCHLIGHT_STEP_GAP_MS: '400' } });

/** Notes each progress text as it becomes the current one. */
async function noteProgress(page: Page): Promise<readonly string[]> {
  const texts: string[] = [];
  await page.exposeFunction('noteStep', (text: string) => {
    if (texts.at(-1) !== text) texts.push(text);
  });
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const step = document.querySelector('main ol > li[aria-current=step]')?.textContent;
      const note = (window as unknown as { noteStep: (text: string) => void }).noteStep;
      if (step) note(step.replace(/, in progress$/, ''));
    }).observe(document, {
      childList: true,
      subtree: true,
      attributes: true,
      characterData: true,
    });
  });
  return texts;
}

test('[RED-01] [RED-04] [RED-14] the five progress texts in order, and the login on record', async ({
  page,
  account,
  code,
  api,
}) => {
  const { email, password, userId } = await account();
  await signIn(page, { email, password });
  // A fresh document, so that only the way to the module is written down.
  const texts = await noteProgress(page);
  await page.reload();
  const answered = page.waitForResponse('**/api/User/LogUserLogin');
  await enterCode(page, await code(email));
  const answer = (await (await answered).json()) as { data: unknown };
  await expect(heading(page, 'Member Intake')).toBeVisible();
  expect(texts).toEqual([
    'Checking for Secured connection',
    'Validate User ID',
    'Validate login session',
    'Checking if any Multi-Role',
    'Validated successfully Signing-in',
  ]);
  expect(api.to('/api/User/LogUserLogin').map((call) => call.body)).toEqual([
    {
      authId: expect.any(String),
      appState: expect.any(String),
      expiresIn: null,
      userName: null,
      refereshToken: null,
      tokenType: null,
      clientIP: '::1',
      deviceType: 'Desktop',
      browseMode: 'Web',
      browseType: 'Chrome',
    },
  ]);
  expect(answer.data).toMatchObject({
    appState: expect.any(String),
    loggedInUserId: userId,
    logUserLoginId: expect.any(String),
    roleId: 1,
    userName: email,
    memberName: 'Ada Winslow',
    userRoles: [{ roleId: 1, roleKey: 'Member' }],
  });
});

test('[API-05] [RED-03] [RED-04] a session check whose answer comes too late, before the code and after it, stops nobody', async ({
  page,
  account,
  code,
}) => {
  await page.clock.install();
  let late = 0;
  await page.route('**/authorize?**', async (route) => {
    // The server hears the question; the frame is gone before its answer comes.
    const response = await route.fetch();
    late += 1;
    if (late < 3) return;
    await route.fulfill({ response });
  });
  const member = await account();
  await open(page, '/account/signin');
  await fillSignIn(page, member);
  await loginButton(page).click();
  await expect.poll(() => late).toBe(1);
  await page.clock.runFor(5000);
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));
  await expect.poll(() => late).toBe(2);
  await page.clock.runFor(5000);
  await expect(heading(page, 'Member Intake')).toBeVisible();
});

for (const isDelivered of [false, true]) {
  test(`[API-05] [RED-03] B11: a session check that is late on the line stops nobody, ${isDelivered ? 'though it arrives' : 'and is lost'}`, async ({
    page,
    account,
    code,
  }) => {
    await page.clock.install();
    const held: Route[] = [];
    await page.route('**/authorize?**', async (route) => {
      if (held.length > 0) return route.continue();
      held.push(route);
    });
    const member = await account();
    await open(page, '/account/signin');
    await fillSignIn(page, member);
    const asked = page.waitForResponse((answer) => answer.url().includes('GetUserDetailByEmailId'));
    await loginButton(page).click();
    await expect.poll(() => held.length).toBe(1);
    await page.clock.runFor(5000);
    await asked;
    if (isDelivered) await held[0]?.fetch().catch(() => undefined);
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(member.email));
    await expect(heading(page, 'Member Intake')).toBeVisible();
  });
}

test('[API-05] [RED-03] B11: while the check is repeated the page says that it takes long, then how to go on', async ({
  page,
  account,
}) => {
  await page.clock.install();
  let held = 0;
  // A line on which the check never arrives.
  await page.route('**/authorize?**', () => void (held += 1));
  await open(page, '/account/signin');
  await fillSignIn(page, await account());
  await loginButton(page).click();
  const main = page.getByRole('main');
  await expect.poll(() => held).toBe(1);
  await expect(main.getByText('This takes longer than it should.')).toBeHidden();
  await page.clock.runFor(5000);
  await expect.poll(() => held).toBe(2);
  await expect(main.getByText('This takes longer than it should.')).toBeVisible();
  await page.clock.runFor(5000);
  await expect(main).toContainText('This takes longer than it should. Please try again.');
  await expect(main).not.toContainText('later');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('[GEN-05] [RED-03] [RED-04] the password alone opens no hosted session and gives no bearer; the code does', async ({
  page,
  account,
  code,
}) => {
  const { email, password } = await account();
  await signIn(page, { email, password });
  expect(await authToken(page)).toBeNull();
  expect(await silentCheck(page)).toBe('login_required');
  await enterCode(page, await code(email));
  await expect(heading(page, 'Member Intake')).toBeVisible();
  expect(await authToken(page)).toMatch(/^[\w-]{20,}$/);
});

test('[RED-05] [GEN-10] a browser that hides the session is told how to show it', async ({
  page,
  playwright,
  account,
  code,
}) => {
  const { email, password } = await account();
  await signIn(page, { email, password });
  // As a browser does that keeps a frame's cookies from it: the hosted login sees a stranger.
  const stranger = await playwright.request.newContext();
  await page.route('**/idp/authorize**', async (route) => {
    await route.fulfill({ response: await stranger.get(route.request().url()) });
  });
  await enterCode(page, await code(email));
  const help = page.getByRole('region', { name: 'Your browser is blocking sign-in' });
  await expect(help).toContainText('Click the icon to the left of the address.');
  await expect(help.getByRole('button', { name: 'Try again' })).toBeVisible();
  await stranger.dispose();
});

test('[RED-12] [GEN-12] the password is nowhere: not in storage, cookies, addresses, the page or the hand-off', async ({
  page,
  context,
  account,
  code,
}) => {
  const { email, password } = await account();
  const canary = password;
  const forms = [
    canary,
    Buffer.from(canary).toString('base64').replaceAll('=', ''),
    Buffer.from(canary).toString('base64url'),
    Buffer.from(canary).toString('hex'),
    encodeURIComponent(canary),
  ];
  const addresses: string[] = [];
  const bodies: string[] = [];
  page.on('request', (request) => {
    addresses.push(request.url());
    // The one place where it belongs: the hosted login's own check.
    if (!request.url().endsWith('/idp/co/authenticate')) bodies.push(request.postData() ?? '');
  });
  const everywhere = async () =>
    JSON.stringify([
      await page.evaluate(() => ({
        local: { ...localStorage },
        session: { ...sessionStorage },
        state: history.state as unknown,
        html: document.documentElement.outerHTML,
        fields: [...document.querySelectorAll('input')].map((input) => input.value),
      })),
      await context.cookies(),
      addresses,
      bodies,
    ]);
  const expectNoCanary = async (where: string) => {
    const found = (await everywhere()).toLowerCase();
    for (const form of forms) expect(found, where).not.toContain(form.toLowerCase());
  };

  await signIn(page, { email, password });
  await expectNoCanary('code entry');
  await enterCode(page, await code(email));
  await expect(heading(page, 'Signing you in')).toBeVisible();
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await expectNoCanary('module');
});

test('[SCR-01] signing out in a module ends the session everywhere', async ({
  page,
  account,
  code,
  quiet,
}) => {
  await signInWithCode(page, await account(), code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  const bearer = await authToken(page);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await expect.poll(() => authToken(page)).toBeNull();
  quiet.allow(/401 \(Unauthorized\).*Handoff/);
  expect(await handOffStatus(page, bearer)).toBe(401);
  expect(await silentCheck(page)).toBe('login_required');
  await page.getByRole('link', { name: 'Sign In' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(heading(page, 'You are already signed in')).toBeHidden();
});

test('[RED-04] [ROL-01] Back from the switcher asks for no second code', async ({
  page,
  code,
  api,
}) => {
  await signInWithCode(page, { email: demoEmail('multi'), password: DEMO_PASSWORD }, code);
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await page.reload();
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Continue as Joan Petrov' }).click();
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);
});
