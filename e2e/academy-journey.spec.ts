import { newMember } from './support/people.ts';
import {
  enterCode,
  errorOf,
  field,
  fillSignUp,
  heading,
  open,
  signUpButton,
} from './support/screens.ts';
import { expect, test } from './support/test.ts';

const TRIAL = '/account/StartFreeTrial?subtenantId=3';
const IN_USE = 'This email is already associated with other account or partner';

test("[SUP-01] [SUP-02] [SUP-08] [SUP-14] [SUP-16] [SUP-17] [API-03] the academy's free trial, with survey, 'Other' and promo code, to congratulation and a lead @core", async ({
  page,
  code,
  api,
  request,
}) => {
  const member = newMember();
  await open(page, TRIAL);
  await expect(heading(page, 'Sign up')).toBeVisible();
  await expect(page.getByText('Start your 30-day free trial.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Porchlight Academy' })).toBeVisible();

  await fillSignUp(page, member);
  await page.getByLabel('Senior center').check();
  await page.getByLabel('Other', { exact: true }).check();
  await field(page, 'otherText').fill('A poster in the library');
  await field(page, 'promo').fill('WELCOME30');
  await signUpButton(page).click();

  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to('/api/User/CreateUser')).toEqual([]);
  expect(api.to('/api/User/CreateAcademyUser').map((call) => call.body)).toEqual([
    {
      subtenantId: 3,
      signUpPlateform: 1,
      user: {
        roleId: 18,
        firstName: member.firstName,
        lastName: member.lastName,
        emailAddress: member.email,
        userName: member.email,
        countryCode: '+1',
        mobileNumber: member.phone,
        password: member.password,
        packageCode: 'WELCOME30',
      },
    },
  ]);
  const state = (await page.evaluate(() => history.state as unknown)) as Record<string, unknown>;
  expect(state).toMatchObject({ subtenantId: 3, typeOfPage: 'signup' });
  const userId = String(state.createId);
  const answer = (responseId: string) => ({
    userId,
    responseId,
    subjectId: '213',
    userSubjectDataId: '',
    subResponseData: '',
  });
  expect(api.to('/api/Subject/add-user-subject-data').map((call) => call.body)).toEqual([
    [
      answer('418'),
      answer('415'),
      {
        userId,
        responseId: '419',
        subjectId: '217',
        userSubjectDataId: '',
        subResponseData: 'A poster in the library',
      },
    ],
  ]);

  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    'Congratulations! your account has been created successfully',
  );

  const leads = (await (await request.get('/dev/leads.json')).json()) as { email: string }[];
  expect(leads.filter((lead) => lead.email === member.email)).toEqual([
    {
      email: member.email,
      phone: `+1${member.phone}`,
      firstName: member.firstName,
      lastName: member.lastName,
      name: `${member.firstName} ${member.lastName}`,
      tags: ['free academy user'],
      receivedAt: expect.any(String),
    },
  ]);
});

test('[SUP-18] [L5] [API-03] a member who signs up at the academy keeps the account: congratulation, a lead, and the owner is told', async ({
  page,
  account,
  api,
  request,
  inbox,
}) => {
  const member = await account();
  await open(page, TRIAL);
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(errorOf(page, 'email')).toContainText(IN_USE);
  await expect(heading(page, 'Email verified')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(IN_USE);
  expect(api.to('/api/OTP/Send-OTP-To-User')).toEqual([]);
  const leads = (await (await request.get('/dev/leads.json')).json()) as { email: string }[];
  expect(leads.filter((lead) => lead.email === member.email)).toHaveLength(1);
  const mails = await inbox(member.email);
  expect(mails.map((mail) => mail.subject)).toContainEqual(
    'Your account now works at Porchlight Academy',
  );
});

test('[SUP-14] [SUP-21] a wrong promo code is not refused on the page but by the server, on its own field', async ({
  page,
  api,
}) => {
  await open(page, TRIAL);
  await fillSignUp(page, newMember());
  await field(page, 'promo').fill('no such code');
  await signUpButton(page).click();
  await expect(page.locator('#promo-err')).toHaveText(
    'We could not use this promo code. Check it, or leave it empty.',
  );
  await expect(field(page, 'promo')).toBeFocused();
  expect(api.to('/api/User/CreateAcademyUser')).toHaveLength(1);
});
