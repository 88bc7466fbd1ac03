import { newMember } from './support/people.ts';
import {
  enterCode,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  signUpButton,
} from './support/screens.ts';
import { expect, test } from './support/test.ts';

const SENT = 'OTP has been sent to your email address and phone number.';
const CREATED = 'Congratulations! your account has been created successfully';

test('[SUP-01] [SUP-04] [SUP-15] [SUP-19] [OTP-06] [OTP-11] [OTP-13] a member signs up, proves the address and is congratulated @core', async ({
  page,
  code,
  inbox,
  api,
}) => {
  const member = newMember();
  await open(page, '/Account/SignUp');
  await expect(heading(page, 'Sign up')).toBeVisible();
  await expect(page).toHaveTitle('Sign up – Rosewood Senior Living');
  await expect(page.getByText('Start your 30-day free trial.')).toHaveCount(0);
  await expect(page.getByText('Already have an account? Log in')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    '/account/signin',
  );

  await fillSignUp(page, member);
  await expect(field(page, 'phone')).toHaveValue(member.shownPhone);
  await page.getByLabel('Friend or family').check();
  await page.getByLabel('Doctor or nurse').check();
  await signUpButton(page).click();

  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await expect(page).toHaveURL('/account/verifyOtp');
  await expect(page.getByRole('main')).toContainText(SENT);
  await expect(page.getByRole('main')).toContainText('a•••@example.org');
  await expect(page.getByRole('main')).toContainText(`phone ending in ${member.phone.slice(-2)}`);

  const [create] = api.to('/api/User/CreateUser');
  expect(create).toEqual({
    method: 'POST',
    path: '/api/User/CreateUser',
    body: {
      subtenantId: 742,
      signUpPlateform: 1,
      user: {
        roleId: 1,
        firstName: member.firstName,
        lastName: member.lastName,
        emailAddress: member.email,
        userName: member.email,
        countryCode: '+1',
        mobileNumber: member.phone,
        password: member.password,
        packageCode: null,
      },
    },
  });
  const state = (await page.evaluate(() => history.state as unknown)) as Record<string, unknown>;
  expect(state).toMatchObject({
    createId: expect.any(Number),
    Id: expect.any(String),
    userRegisteredId: expect.any(String),
    otpSendOn: `a•••@example.org, ••• ••${member.phone.slice(-2)}`,
    otpSendMedium: 4,
    subtenantId: 742,
    emailAddress: member.email,
    user: {
      firstName: member.firstName,
      lastName: member.lastName,
      emailAddress: member.email,
      userName: member.email,
      countryCode: '+1',
      mobileNumber: member.phone,
      packageCode: null,
    },
    signUpPlateform: 1,
    typeOfPage: 'signup',
  });
  expect(JSON.stringify(state)).not.toContain(member.password);
  const answer = (responseId: string) => ({
    userId: String(state.createId),
    responseId,
    subjectId: '213',
    userSubjectDataId: '',
    subResponseData: '',
  });
  expect(api.to('/api/Subject/add-user-subject-data').map((call) => call.body)).toEqual([
    [answer('412'), answer('413')],
  ]);
  expect(api.to('/api/OTP/Send-OTP-To-User').map((call) => call.body)).toEqual([
    {
      createdBy: state.createId,
      otpSendMedium: 4,
      subtenantId: 742,
      otpType: 'USER_ACTIVATION',
      otpSendOn: null,
      resendCount: 0,
    },
  ]);

  const channels = (await inbox(member.email)).map((message) => message.channel);
  const texts = await inbox(`1${member.phone}`);
  expect(channels).toEqual(['email']);
  expect(texts.map((message) => message.channel)).toEqual(['sms']);
  const digits = await code(member.email);
  expect(texts[0]?.code).not.toBe(digits);

  await enterCode(page, digits);
  await expect(heading(page, 'Email verified')).toBeVisible();
  await expect(page).toHaveURL('/account/congratulation');
  await expect(page.getByRole('main')).toContainText(CREATED);
  await expect(page.getByRole('link', { name: 'back to sign up' })).toBeVisible();
  expect(api.to('/api/OTP/Validate-OTP-For-NewUser').map((call) => call.body)).toEqual([
    {
      id: state.Id,
      createdBy: state.createId,
      otp: Number(digits),
      signUpPlateform: 1,
      otpType: 'USER_ACTIVATION',
      otpSendMedium: 4,
      otpSendOn: state.otpSendOn,
    },
  ]);
  expect(api.to('/api/UserActivation/ActivateUser').map((call) => call.body)).toEqual([
    {
      userRegstrtnId: state.userRegisteredId,
      userId: state.createId,
      activationKey: null,
      signUpPlatform: 1,
      clientIPAddress: '::1',
      userActivationId: null,
      otpId: state.Id,
      password: null,
    },
  ]);

  // The address typed at sign-up is carried along, so that it is typed once.
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(field(page, 'email')).toHaveValue(member.email);
});

test('[SIN-01] [SIN-06] [SIN-07] [SIN-08] [RED-01] [RED-03] [RED-04] [OTP-08] a member signs in with password and code and lands in the member intake app @core', async ({
  page,
  account,
  code,
  api,
}) => {
  const { email, password, userId } = await account();
  // Holds the recording of the login, so that the processing screen stands still to be looked at.
  let record = () => {};
  const isLookedAt = new Promise<void>((resolve) => (record = resolve));
  await page.route('**/api/User/LogUserLogin', async (route) => {
    await isLookedAt;
    await route.continue();
  });

  await open(page, '/account/signin');
  await expect(page).toHaveTitle('Login – Rosewood Senior Living');
  await fillSignIn(page, { email, password });
  await loginButton(page).click();

  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(await page.evaluate(() => history.state as unknown)).toMatchObject({
    createId: userId,
    otpSendMedium: 4,
    typeOfPage: 'signin',
  });
  expect(api.to('/api/OTP/Send-OTP-To-User').map((call) => call.body)).toEqual([
    {
      createdBy: userId,
      otpSendMedium: 4,
      subtenantId: 742,
      otpType: 'TWOFACTORAUTHENTICATION',
      otpSendOn: expect.stringMatching(/^\w•••@example\.org, /),
      resendCount: 0,
    },
  ]);
  await enterCode(page, await code(email));

  await expect(heading(page, 'Signing you in')).toBeVisible();
  await expect(page).toHaveURL('/account/Redirect');
  expect(await page.evaluate(() => history.state as unknown)).toEqual({ otpVerified: true });
  await expect(page.getByText('Checking if any Multi-Role, in progress')).toBeVisible();
  record();

  await expect(heading(page, 'Member Intake')).toBeVisible();
  await expect(page).toHaveURL('/demo/member-intake/login');
  await expect(page.getByText('Welcome, Ada Winslow.')).toBeVisible();
});
