import { describe, expect, it, test } from 'vitest';
import * as z from 'zod/mini';
import { handoffUrl } from '#domain/hand-off/hand-off.ts';
import { REQUEST } from '#domain/testing/samples.ts';
import { toCreateUserBody } from './create-user-body.ts';
import { ERRORS } from './errors.ts';
import { type Body, CONTRACT, type Row } from './index.ts';
import { type CallName, routeOf, ROUTES, XSRF_COOKIE, XSRF_HEADER } from './routes.ts';

const NAMES = Object.keys(ROUTES) as CallName[];
const ROWS: Readonly<Record<CallName, Row>> = CONTRACT;

describe('routes', () => {
  it('[API-01] every call has a route and a row', () => {
    expect(Object.keys(CONTRACT).sort()).toEqual([...NAMES].sort());
    expect(NAMES.filter((name) => ROWS[name].summary.trim() === '')).toEqual([]);
  });

  it('[API-01] [GEN-06] no two calls have one method and path, in any letter case', () => {
    const addresses = NAMES.map((name) => ROUTES[name].toLowerCase().replace(/:\w+/g, ':'));
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });

  it('[API-01] a route is a method and a path under /api', () => {
    expect(routeOf('updateSurvey')).toEqual({
      method: 'PUT',
      path: '/api/Subject/update-user-subject-data',
    });
    const odd = NAMES.filter(
      (name) => !/^(?:GET|POST|PUT) \/api(?:\/:?[\w-]+)+$/.test(ROUTES[name]),
    );
    expect(odd).toEqual([]);
  });

  // The table of calls (WIR-05), typed out.
  test.each([
    'GET /api/Country/GetRegistrationEnableCountry',
    'GET /api/Subject/get-subject-for-form-label-id',
    'GET /api/Subject/get-user-subject/:userId',
    'PUT /api/Subject/update-user-subject-data',
    'POST /api/Subject/add-user-subject-data',
    'POST /api/User/CreateUser',
    'POST /api/User/CreateAcademyUser',
    'GET /api/user/GetUserStatusByUserName/:email',
    'GET /api/Account/GetUserDetailByEmailId',
    'POST /api/OTP/Send-OTP-To-User',
    'POST /api/OTP/ReSend-OTP-To-User',
    'POST /api/OTP/Validate-OTP-For-NewUser',
    'POST /api/OTP/Extend',
    'GET /api/UserAuth/IsAuthUser/:email',
    'POST /api/UserActivation/ActivateUser',
    'POST /api/UserActivation/ValidateLink',
    'POST /api/UserActivation/GetUserActivationLink',
    'GET /api/UserActivation/GetUserActivationLink',
    'POST /api/User/LogUserLogin',
    'GET /api/User/LogoutUser/:userId/:appState/:loggedInId/:roleId',
    'POST /api/User/SendEmailForForgotPassword',
    'GET /api/User/GetUserDetailsbyTokenKey/:resetKey/:ip',
    'POST /api/2/User/UpdateForgotPassword',
    'POST /api/Subtenant/get-subtenant-details',
    'GET /api/Settings/authSettings',
    'GET /api/CustomerFeedback/GetCustomerFeedback',
    'POST /api/Handoff/Issue',
    'POST /api/Handoff/Redeem',
  ])('[API-01] %s is there', (route) => {
    expect(Object.values(ROUTES)).toContain(route);
  });

  it('[API-01] parameters of a path and of its schema are the same', () => {
    const inPath = NAMES.map((name) => [
      name,
      [...ROUTES[name].matchAll(/:(\w+)/g)].map(([, parameter]) => parameter),
    ]);
    const inSchema = NAMES.map((name) => {
      const { params } = ROWS[name];
      return [name, params instanceof z.ZodMiniObject ? Object.keys(params.shape) : []];
    });
    expect(inSchema).toEqual(inPath);
  });

  it('[API-01] only what changes something takes a body', () => {
    const odd = NAMES.filter((name) => ROWS[name].body && routeOf(name).method === 'GET');
    expect(odd).toEqual([]);
  });

  it('[API-02] only reference data is public; a hand-off needs a session, its redeem a module', () => {
    const of = (level: string) => NAMES.filter((name) => ROWS[name].level === level);
    expect(of('public').toSorted()).toEqual([
      'checkBrowser',
      'getCountries',
      'getFeedback',
      'getSettings',
      'getSurvey',
    ]);
    expect(of('session')).toEqual([
      'getConsents',
      'revokeConsent',
      'checkPassword',
      'issueHandoff',
    ]);
    expect(of('module')).toEqual(['redeemHandoff']);
  });

  it('[API-02] the CSRF cookie and header are the client’s defaults', () => {
    expect([XSRF_COOKIE, XSRF_HEADER]).toEqual(['XSRF-TOKEN', 'x-xsrf-token']);
  });
});

const SIGN_UP = {
  subtenantId: 742,
  signUpPlateform: 1,
  user: {
    roleId: 1,
    firstName: 'Margaret',
    lastName: 'Okafor',
    emailAddress: 'margaret@example.org',
    userName: 'margaret@example.org',
    countryCode: '+1',
    mobileNumber: '5550142290',
    password: 'Porchlight-1',
    packageCode: null,
  },
};
const ANSWERS = [
  { userId: '7', responseId: '418', subjectId: '213', userSubjectDataId: '', subResponseData: '' },
];

const CREDENTIAL = {
  id: 'AQ',
  rawId: 'AQ',
  type: 'public-key' as const,
  authenticatorAttachment: 'platform',
};
const ASSERTION = {
  ...CREDENTIAL,
  response: { authenticatorData: 'AQ', clientDataJSON: 'AQ', signature: 'AQ', userHandle: 'AQ' },
};

type WithBody = { [Name in CallName]: Body<Name> extends undefined ? never : Name }[CallName];

/** One full body for each call that takes one, in the wire's spelling; the type keeps the list complete. */
const BODIES: { readonly [Name in WithBody]: Body<Name> } = {
  saveSurvey: ANSWERS,
  updateSurvey: ANSWERS,
  createUser: SIGN_UP,
  createAcademyUser: SIGN_UP,
  changeAddress: { id: 'c1', createdBy: 7, emailAddress: 'margaret@example.org' },
  confirmLink: { userRegstrtnId: 'r1', userId: 7, activationKey: 'k1', signUpPlatform: 1 },
  rejectLink: { userRegstrtnId: 'r1', userId: 7, activationKey: 'k1', signUpPlatform: 1 },
  sendOtp: {
    createdBy: 7,
    otpSendMedium: 4,
    subtenantId: 742,
    otpType: 'USER_ACTIVATION',
    otpSendOn: null,
    resendCount: 1,
  },
  resendOtp: {
    id: 'c1',
    createdBy: 7,
    otpSendMedium: 4,
    otpType: 'TWOFACTORAUTHENTICATION',
    subtenantId: 742,
    otpSendOn: 'margaret@example.org',
    resendCount: '2',
  },
  verifyOtp: {
    id: 'c1',
    createdBy: 7,
    otp: 7291,
    signUpPlateform: 1,
    otpType: 'USER_ACTIVATION',
    otpSendMedium: 4,
    otpSendOn: null,
    resendCount: null,
  },
  extendOtp: { id: 'c1', createdBy: 7 },
  callOtp: { id: 'c1', createdBy: 7 },
  activateUser: {
    userRegstrtnId: 'reg-7',
    userId: 7,
    activationKey: null,
    signUpPlatform: 1,
    clientIPAddress: '::1',
    userActivationId: null,
    otpId: 'c1',
    password: null,
  },
  validateLink: {
    userRegstrtnId: 'reg-7',
    userId: 7,
    activationKey: 'key',
    signUpPlatform: 1,
    clientIPAddress: '::1',
  },
  createActivationLink: {
    userRegstrtnId: 'reg-7',
    userId: 7,
    signUpPlatform: 1,
    createdBy: 7,
    clientIPAddress: '::1',
  },
  forgotPassword: {
    userName: 'margaret@example.org',
    emailID: 'margaret@example.org',
    requestedIP: '::1',
    commMedium: 'Email',
    commSendOn: 'margaret@example.org',
  },
  updatePassword: {
    userName: 'margaret@example.org',
    userId: 7,
    hostedUserId: 'h7',
    password: 'Porchlight-2',
    accessIP: '::1',
    forgotPasswordId: 'f1',
  },
  beginSession: { entrance: 'portal', isFresh: true },
  recordLogin: {
    authId: 'code',
    appState: 'state',
    expiresIn: null,
    userName: null,
    refereshToken: null,
    tokenType: null,
    clientIP: '::1',
    deviceType: 'desktop',
    browseMode: 'normal',
    browseType: 'Firefox',
  },
  getSubtenant: { subtenantId: 742, isActive: true },
  continueInteraction: { request: 'r1' },
  allowInteraction: { request: 'r1' },
  denyInteraction: { request: 'r1' },
  revokeConsent: { clientId: 'garden-club' },
  keyRequest: { use: 'signIn' },
  signInWithKey: { answer: ASSERTION, entrance: 'portal' },
  stepUpWithKey: { answer: ASSERTION },
  keyCreation: { isByItself: false },
  saveKey: {
    answer: {
      ...CREDENTIAL,
      response: {
        attestationObject: 'AQ',
        clientDataJSON: 'AQ',
        transports: ['internal'],
        publicKeyAlgorithm: -7,
        publicKey: 'AQ',
        authenticatorData: 'AQ',
      },
    },
  },
  keyOffer: { outcome: 'shown' },
  givePageCode: { screen: 'signIn' },
  checkPassword: { password: 'Quiet-Harbour-4' },
  issueHandoff: { choice: { kind: 'role', roleId: 4 }, entrance: 'portal' },
  redeemHandoff: { token: 'a.b.c' },
  getChallenge: { purpose: 'signUp' },
};

const CALLS = Object.entries(BODIES) as [WithBody, unknown][];

function accepts(name: WithBody, body: unknown): boolean {
  return z.safeParse(CONTRACT[name].body, body).success;
}

/** The value once for each place in it, changed there. */
function* changedOnce(value: unknown, change: (part: unknown) => unknown): Generator<unknown> {
  const changed = change(value);
  if (changed !== undefined) yield changed;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const other of changedOnce(inner, change)) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    }
  }
}

const isBranch = (part: unknown) => typeof part === 'object' && part !== null;
const addStranger = (part: unknown) =>
  isBranch(part) && !Array.isArray(part) ? { ...(part as object), isAdmin: true } : undefined;
const swell = (part: unknown) => (isBranch(part) ? undefined : 'x'.repeat(65_536));

describe('bodies', () => {
  test.each(CALLS)('[API-01] %s takes the specified body', (name, body) => {
    expect(accepts(name, body)).toBe(true);
  });

  test.each(CALLS)(
    '[API-01] %s refuses unknown keys, in every object of its body',
    (name, body) => {
      const strangers = [...changedOnce(body, addStranger)];
      expect(strangers.length).toBeGreaterThan(0);
      expect(strangers.filter((stranger) => accepts(name, stranger))).toEqual([]);
    },
  );

  test.each(CALLS)('[API-01] %s refuses what is no body at all', (name) => {
    const wrong = [undefined, null, '', 'x', 1, true, [], {}, [[]], [null]];
    expect(wrong.filter((body) => accepts(name, body))).toEqual([]);
  });

  test.each(CALLS)('[API-01] %s refuses 64 KiB of text in any place', (name, body) => {
    const swollen = [...changedOnce(body, swell)];
    expect(swollen.length).toBeGreaterThan(0);
    expect(swollen.filter((each) => accepts(name, each))).toEqual([]);
  });

  test.each([
    ['createUser', 'signUpPlateform', 'signUpPlatform'],
    ['verifyOtp', 'signUpPlateform', 'signUpPlatform'],
    ['recordLogin', 'refereshToken', 'refreshToken'],
    ['activateUser', 'userRegstrtnId', 'userRegistrationId'],
    ['validateLink', 'userRegstrtnId', 'userRegistrationId'],
    ['createActivationLink', 'userRegstrtnId', 'userRegistrationId'],
  ] as const)('[API-01] [WIR-04] %s spells %s, and knows no %s', (name, wire, right) => {
    const body: Record<string, unknown> = { ...BODIES[name] };
    expect(Object.keys(body)).toContain(wire);
    const { [wire]: value, ...rest } = body;
    expect(accepts(name, { ...rest, [right]: value })).toBe(false);
  });

  it('[RED-12] [WIR-04] the hand-off spells loggenInId', () => {
    const claims = { appState: 's', userId: 7, roleId: 4, loggenInId: 'l1' };
    expect(handoffUrl('https://m.test/', 'a.b.c', claims)).toContain('&loggenInId=l1');
  });

  test.each([
    ['[OTP-13] as a number', 7291, true],
    ['[OTP-13] as text, zeros in front', '007291', true],
    ['[OTP-13] not below zero', -1, false],
    ['[OTP-13] no fraction', 1.5, false],
    ['[OTP-13] as the whole text message', '007291 is your code. '.padEnd(400, 'x'), true],
    ['[OTP-13] no essay', '0'.repeat(2001), false],
  ])('the code of verifyOtp: %s', (_rule, otp, isTaken) => {
    expect(accepts('verifyOtp', { ...BODIES.verifyOtp, otp })).toBe(isTaken);
  });

  test.each([6, 0, '4', null])('[OTP-12] there is no medium %j', (otpSendMedium) => {
    expect(accepts('sendOtp', { ...BODIES.sendOtp, otpSendMedium })).toBe(false);
  });

  test.each([0, -3, 2 ** 31, 1.5, '742', null])(
    '[GEN-04] there is no subtenant %j',
    (subtenantId) => {
      expect(accepts('getSubtenant', { subtenantId })).toBe(false);
      expect(accepts('createUser', { ...SIGN_UP, subtenantId })).toBe(false);
    },
  );

  it('[SUP-17] survey answers are sent as strings, some and not without end', () => {
    const [answer] = ANSWERS;
    expect(accepts('saveSurvey', [{ ...answer, userId: 7 }])).toBe(false);
    expect(accepts('saveSurvey', [{ ...answer, responseId: '4x' }])).toBe(false);
    expect(
      accepts(
        'saveSurvey',
        Array.from({ length: 20 }, () => answer),
      ),
    ).toBe(true);
    expect(
      accepts(
        'saveSurvey',
        Array.from({ length: 21 }, () => answer),
      ),
    ).toBe(false);
  });
});

describe('the sign-up request', () => {
  it('[SUP-15] a form becomes the specified request, role 1, userName equal to the email', () => {
    expect(toCreateUserBody(REQUEST)).toEqual(SIGN_UP);
  });

  it('[SUP-15] the academy asks for role 18 and sends the promo code', () => {
    const body = toCreateUserBody({ ...REQUEST, subtenantId: 3, promoCode: 'SPRING' });
    expect(body).toEqual({
      ...SIGN_UP,
      subtenantId: 3,
      user: { ...SIGN_UP.user, roleId: 18, packageCode: 'SPRING' },
    });
    expect(accepts('createAcademyUser', body)).toBe(true);
  });
});

describe('errors', () => {
  it('[API-02] [WIR-02] have the status classes of the wire', () => {
    const byStatus: Record<number, string[]> = {};
    for (const [code, { status }] of Object.entries(ERRORS)) (byStatus[status] ??= []).push(code);
    expect(byStatus).toEqual({
      // Outcomes that a screen shows.
      200: [
        'EMAIL_IN_USE',
        'INVALID_SUBTENANT',
        'INVALID_PROMO',
        'INVALID_OTP',
        'OTP_EXPIRED',
        'OTP_DEAD',
        'OTP_REPLACED',
        'OTP_OTHER_MINUTE',
        'OTHER_SIGN_IN',
        'ACCOUNT_SUSPENDED',
        'CALL_REFUSED',
        'OTP_LIFE_OVER',
        'OTP_REQUIRED',
        'REQUEST_OVER',
        'SIGN_IN_AGAIN',
        'KEY_REFUSED',
        'PASSWORD_WANTED',
        'HANDOFF_LOOP',
        'NOT_SHARED',
        'MODULE_MISSING',
        'HANDOFF_REFUSED',
        'PASSWORD_GUESSABLE',
        'PHONE_REFUSED',
        'CAPTCHA_NEEDED',
        'RESET_WAITS',
      ],
      // Malformed, no or dead bearer, unknown, conflict; a reset has a status for each refusal (PWD-08).
      400: ['RESET_REFUSED', 'BAD_REQUEST'],
      401: ['RESET_UNAUTHORIZED', 'NO_SESSION', 'MODULE_UNKNOWN', 'HANDOFF_INVALID'],
      403: ['FORBIDDEN'],
      404: ['RESET_UNKNOWN', 'NOT_FOUND'],
      405: ['METHOD_NOT_ALLOWED'],
      409: [
        'SAME_PASSWORD',
        'LINK_TAKEN',
        'KEPT_BY_ORGANISATION',
        'OFF_BY_ORGANISATION',
        'LAST_OPERATOR',
        'CONFLICT',
      ],
      413: ['TOO_LARGE'],
      415: ['UNSUPPORTED_TYPE'],
      // Too many.
      429: ['TOO_SOON', 'TOO_MANY'],
      500: ['UNEXPECTED'],
      // A dependency is down.
      503: ['UNAVAILABLE'],
    });
  });

  // The flags that the specification names, or that the portal tells apart.
  it('[SUP-21] are spelled like the wire', () => {
    expect(Object.keys(ERRORS)).toContain('INVALID_SUBTENANT');
    expect(Object.keys(ERRORS).filter((code) => !/^[A-Z]+(?:_[A-Z]+)*$/.test(code))).toEqual([]);
  });
});
