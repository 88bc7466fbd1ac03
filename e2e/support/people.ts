import { randomInt } from 'node:crypto';
import { type APIRequestContext, expect } from '@playwright/test';
import type { Body } from '../../src/contract/index.ts';

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
  // One number for each: the inbox of a number is that of one person.
  const digits = String(randomInt(10 ** 7)).padStart(7, '0');
  return {
    firstName: 'Ada',
    lastName: 'Winslow',
    phone: `555${digits}`,
    shownPhone: `(555) ${digits.slice(0, 3)}-${digits.slice(3)}`,
    // Digits are all of one width: where an address wraps is no matter of chance.
    email: `ada.${String(randomInt(10 ** 12)).padStart(12, '0')}@example.org`,
    password: 'Rocking-Chair-7',
  };
}

type Envelope<T> = { readonly succeeded: boolean; readonly data: T };

type Post = <T>(path: string, data: unknown) => Promise<T>;
type Pending = { readonly userId: number; readonly registrationId: string; readonly otpId: string };

/** Signs up as far as the code, by the calls of the screens without the screens. */
export async function inviteByApi(request: APIRequestContext, member: Member): Promise<Pending> {
  await request.get('/api/Visit/State');
  const post = await poster(request);
  const subtenantId = 742;
  const { userId, id: registrationId } = await post<{ userId: number; id: string }>(
    '/api/User/CreateUser',
    { subtenantId, signUpPlateform: 1, user: { ...bodyOf(member), roleId: 1 } },
  );
  const { id: otpId } = await post<{ id: string }>('/api/OTP/Send-OTP-To-User', {
    createdBy: userId,
    otpSendMedium: 4,
    subtenantId,
    otpType: 'USER_ACTIVATION',
  });
  return { userId, registrationId, otpId };
}

/** The same, and proves the address: what is left is the account itself. */
export async function proveByApi(
  request: APIRequestContext,
  member: Member,
  readCode: (to: string) => Promise<string>,
): Promise<Pending> {
  const pending = await inviteByApi(request, member);
  const { userId: createdBy, otpId: id } = pending;
  const otp = await readCode(member.email);
  await (
    await poster(request)
  )('/api/OTP/Validate-OTP-For-NewUser', { id, createdBy, otp });
  return pending;
}

/** The same to the end: an active account. */
export async function signUpByApi(
  request: APIRequestContext,
  member: Member,
  readCode: (to: string) => Promise<string>,
): Promise<Account> {
  const { userId, registrationId, otpId } = await proveByApi(request, member, readCode);
  const post = await poster(request);
  await post('/api/UserActivation/ActivateUser', {
    userRegstrtnId: registrationId,
    userId,
    signUpPlatform: 1,
    otpId,
  });
  return { ...member, userId };
}

async function poster(request: APIRequestContext): Promise<Post> {
  const token = await xsrfToken(request);
  return async <T>(path: string, data: unknown): Promise<T> => {
    const answer = await request.post(path, { data, headers: { 'x-xsrf-token': token } });
    const envelope = (await answer.json()) as Envelope<T>;
    expect(envelope, path).toMatchObject({ succeeded: true });
    return envelope.data;
  };
}

function bodyOf({ firstName, lastName, phone, email, password }: Member) {
  return {
    firstName,
    lastName,
    emailAddress: email,
    userName: email,
    countryCode: '+1',
    mobileNumber: phone,
    password,
    packageCode: null,
  } satisfies Omit<Body<'createUser'>['user'], 'roleId'>;
}

/** The same visitor at the academy: a second role, and from then on the switcher. */
export async function addAcademyRole(request: APIRequestContext, account: Account): Promise<void> {
  const post = await poster(request);
  const created = await post('/api/User/CreateAcademyUser', {
    subtenantId: 3,
    signUpPlateform: 1,
    user: { ...bodyOf(account), roleId: 18 },
  });
  expect(created).toMatchObject({ userActivationMode: 'ROLE_MAPPED' });
}

async function xsrfToken(request: APIRequestContext): Promise<string> {
  const { cookies } = await request.storageState();
  return cookies.find((cookie) => cookie.name.endsWith('XSRF-TOKEN'))?.value ?? '';
}
