import { startServer } from '../tools/server-process.ts';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import { field, heading, open } from './support/screens.ts';
import { expect, test as base } from './support/test.ts';

/** A server whose limit is reached by the second request; the usual one has a hundred times the usual numbers. */
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    const env = {
      PORCHLIGHT_LIMITS: '{"resetPerAccount": {"max": 1}, "resetAgainPerAccount": {"max": 1}}',
    };
    await provide((await keep('server with narrow limits', () => startServer({ env }))).url);
  },
});

test('[LIM-07] [LIM-10] asked for again, the page says when the link was sent, and that link works', async ({
  page,
  account,
  inbox,
}) => {
  const member = await account();
  const ask = async () => {
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(member.email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
  };
  const main = page.getByRole('main');
  await ask();
  await expect(main).toContainText(`Open your mail. We sent you one here: ${member.email}`);
  await expect(main).not.toContainText('We sent the last one');
  const links = async () => (await inbox(member.email)).flatMap(({ link }) => link ?? []);
  const [link = ''] = await links();
  await ask();
  await expect(main).toContainText('A reset password link has been sent');
  await expect(main).toContainText(
    /We sent the last one \d+ minutes? ago. Its link still works, so we did not send another./,
  );
  await expectAccessible(page, 'Check your email, sent before', BRIEF_VIEWS);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect((await links()).filter((each) => each.includes('resetLinkKey'))).toEqual([link]);
  await page.goto(link);
  await expect(heading(page, 'Set new password')).toBeVisible();
});
