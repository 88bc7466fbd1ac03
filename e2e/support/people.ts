import { randomInt, randomUUID } from 'node:crypto';
import { type APIRequestContext, expect } from '@playwright/test';

/** What a person types at sign-up. */
export type Member = {
  readonly firstName: string;
  readonly lastName: string;
  /** As digits, and as the form shows them. */
  readonly phone: string;
  readonly shownPhone: string;
  readonly email: string;
  readonly password: string;
};

/** Somebody with an active account. */
export type Account = Member & { readonly userId: number };

export const DEMO_PASSWORD = 'Porchlight-1';
export const demoEmail = (name: string) => `${name}@demo.porchlight.test`;

export function newMember(): Member {
  const line = String(randomInt(10_000)).padStart(4, '0');
  return {
    firstName: 'Ada',
    lastName: 'Winslow',
    phone: `555014${line}`,
    shownPhone: `(555) 014-${line}`,
    email: `ada.${randomUUID().slice(0, 13)}@example.org`,
    password: 'Rocking-Chair-7',
  };
}

type Envelope<T> = { readonly succeeded: boolean; readonly data: T };

/** The calls of the sign-up screens without the screens. */
export async function signUpByApi(
  request: APIRequestContext,
  member: Member,
  readCode: (to: string) => Promise<string>,
): Promise<Account> {
  await request.get('/api/Visit/State');
  const token = await xsrfToken(request);
  const post = async <T>(path: string, data: unknown): Promise<T> => {
    const answer = await request.post(path, { data, headers: { 'x-xsrf-token': token } });
    const envelope = (await answer.json()) as Envelope<T>;
    expect(envelope, path).toMatchObject({ succeeded: true });
    return envelope.data;
  };

  const { firstName, lastName, phone, email, password } = member;
  const user = {
    roleId: 1,
    firstName,
    lastName,
    emailAddress: email,
    userName: email,
    countryCode: '+1',
    mobileNumber: phone,
    password,
    packageCode: null,
  };
  const subtenantId = 742;
  const otpType = 'USER_ACTIVATION';
  const created = await post<{ userId: number; id: string }>('/api/User/CreateUser', {
    subtenantId,
    signUpPlateform: 1,
    user,
  });
  const { userId, id: userRegstrtnId } = created;
  const sent = await post<{ id: string }>('/api/OTP/Send-OTP-To-User', {
    createdBy: userId,
    otpSendMedium: 4,
    subtenantId,
    otpType,
  });
  const otp = await readCode(email);
  await post('/api/OTP/Validate-OTP-For-NewUser', { id: sent.id, createdBy: userId, otp });
  await post('/api/UserActivation/ActivateUser', {
    userRegstrtnId,
    userId,
    signUpPlatform: 1,
    otpId: sent.id,
  });
  return { ...member, userId };
}

/** The same visitor at the academy: a second role, and from then on the switcher. */
export async function addAcademyRole(request: APIRequestContext, account: Account): Promise<void> {
  const { firstName, lastName, phone, email, password } = account;
  const answer = await request.post('/api/User/CreateAcademyUser', {
    headers: { 'x-xsrf-token': await xsrfToken(request) },
    data: {
      subtenantId: 3,
      signUpPlateform: 1,
      user: {
        roleId: 18,
        firstName,
        lastName,
        emailAddress: email,
        userName: email,
        countryCode: '+1',
        mobileNumber: phone,
        password,
        packageCode: null,
      },
    },
  });
  expect(await answer.json()).toMatchObject({ data: { userActivationMode: 'ROLE_MAPPED' } });
}

async function xsrfToken(request: APIRequestContext): Promise<string> {
  const { cookies } = await request.storageState();
  return cookies.find((cookie) => cookie.name.endsWith('XSRF-TOKEN'))?.value ?? '';
}
