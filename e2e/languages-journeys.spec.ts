import type { Page } from '@playwright/test';
import { textsIn } from '../src/locales/catalogue.ts';
import { SCREENS } from '../src/domain/flow/screens.ts';
import { fill } from '../src/locales/fill.ts';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import { inviteByApi, newMember } from './support/people.ts';
import { field, fillSignIn, fillSignUp, open } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expectSpanish, untranslatedIn } from './support/spanish.ts';
import type { Tools } from './support/states.ts';
import { expect, test } from './support/test.ts';

// Each journey in a browser that asks for Spanish: every page on the way is Spanish, whole, and nothing of it is cut.

const t = textsIn('es');
const CLUB = { client: 'Garden Club' };

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

type Given = Pick<Tools, 'page' | 'account' | 'code' | 'inbox'>;

async function enterCode({ page, code }: Given, email: string): Promise<void> {
  await expectSpanish(page, t.otp.title);
  await field(page, 'otp')
    .first()
    .fill(await code(email));
  await press(page, t.otp.submit);
}

type Journey = {
  readonly name: string;
  readonly go: (given: Given) => Promise<void>;
};

const JOURNEYS: readonly Journey[] = [
  {
    name: 'the free trial of the academy',
    async go(given) {
      const { page } = given;
      const member = newMember();
      await open(page, '/account/StartFreeTrial?subtenantId=3');
      await expectSpanish(page, t.signUp.title);
      await fillSignUp(page, member);
      await page.getByLabel(t.survey.center).check();
      await field(page, 'promo').fill('WELCOME30');
      await press(page, t.signUp.submit);
      await enterCode(given, member.email);
      await expectSpanish(page, t.pages.congratulationTitle);
    },
  },
  {
    name: 'a reset of the password',
    async go({ page, account, inbox }) {
      const { email } = await account();
      await open(page, '/account/ForgetPassword');
      await field(page, 'email').fill(email);
      await press(page, t.passwords.forgotSubmit);
      await expectSpanish(page, t.passwords.checkTitle);
      const link = async () =>
        (await inbox(email)).find((each) => each.link?.includes('eset'))?.link;
      await expect.poll(link).toBeTruthy();
      await open(page, (await link()) ?? '');
      await expectSpanish(page, t.passwords.resetTitle);
      for (const name of ['password', 'confirmPassword'])
        await field(page, name).fill('Apple-Blossom-8');
      await press(page, t.passwords.submit);
      await expectSpanish(page, t.passwordDone.resetDoneTitle);
    },
  },
  {
    name: 'an activation by the mailed link',
    async go(given) {
      const { page, inbox } = given;
      const member = newMember();
      await inviteByApi(page.request, member);
      await page.context().clearCookies();
      const link = (await inbox(member.email)).find((each) => each.link)?.link ?? '';
      await open(page, link);
      await expectSpanish(page, t.activation.title);
      await press(page, t.activation.submitInstead);
      await enterCode(given, member.email);
      await expectSpanish(page, t.pages.congratulationTitle);
    },
  },
  {
    name: 'the choice of a role, and its module',
    async go({ page, account, code }) {
      await signInByApi(page, await account('member and academy'), code);
      await expectSpanish(page, t.roles.title);
      await page.getByText(t.roleNames[1] ?? '', { exact: true }).click();
      await press(page, t.roles.submit);
      await expectSpanish(page, t.demoModules.modules['member-intake'].name);
    },
  },
  {
    name: 'consent for a third party',
    async go(given) {
      const { page, account } = given;
      const member = await account();
      await page.goto('/demo/relying-party');
      await expectSpanish(page, CLUB.client);
      await page.getByRole('link', { name: t.gardenClub.signIn }).click();
      await expectSpanish(page, t.interactions.signInTitle);
      await open(page, page.url());
      await fillSignIn(page, member);
      await press(page, t.signIn.submit);
      await enterCode(given, member.email);
      await expectSpanish(page, fill(t.interactions.consentTitle, CLUB));
      await press(page, t.interactions.allow);
      await expectSpanish(page, fill(t.gardenClub.welcome, { name: 'Ada Winslow' }));
    },
  },
  {
    name: 'every page of My account',
    async go({ page, account, code }) {
      await signInByApi(page, await account(), code);
      await expectSpanish(page, t.demoModules.modules['member-intake'].name);
      for (const [screen, { paths }] of Object.entries(SCREENS)) {
        const [path = ''] = paths;
        // The switch of a shared device is for staff.
        if (!path.startsWith('/account/me') || screen === 'sharedDevice') continue;
        await page.goto(path);
        await expect(page).toHaveURL(path);
        expect(await untranslatedIn(page), path).toEqual([]);
      }
    },
  },
];

test.use({ locale: 'es-MX' });

for (const { name, go } of JOURNEYS) {
  test(`[LNG-10] in Spanish: ${name}`, async ({ page, account, code, inbox }) => {
    await go({ page, account, code, inbox });
    await expectAccessible(page, name, BRIEF_VIEWS);
  });
}

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[LNG-10] in Spanish: a sign-in', async ({ page, account, code }) => {
    const member = await account();
    await page.goto('/account/signin');
    await fillSignIn(page, { ...member, password: 'Not-The-One-1' });
    await press(page, t.signIn.submit);
    await expect(page.getByText(t.problems.wrongCredentials)).toBeVisible();
    await expectSpanish(page, t.signIn.title);
    await fillSignIn(page, member);
    await press(page, t.signIn.submit);
    await expectSpanish(page, t.otp.title);
    for (const [at, digit] of [...(await code(member.email))].entries()) {
      const label = fill(t.widgets.otp.box, { n: at + 1, total: 6 });
      await page.getByLabel(label).fill(digit);
    }
    await press(page, t.otp.submit);
    await expectSpanish(page, t.demoModules.modules['member-intake'].name);
  });
});
