import { describe, expect, it, test } from 'vitest';
import {
  entranceOf,
  FREE_TRIAL_PATH,
  pathOf,
  screenAt,
  SCREENS,
  type ScreenName,
} from './screens.ts';

const NAMES = Object.keys(SCREENS) as ScreenName[];
const PATHS = NAMES.flatMap((name) => SCREENS[name].paths.map((path) => [path, name] as const));

describe('screenAt', () => {
  // The paths as docs/requirements.md spells them.
  test.each([
    ['[SUP-01]', '/Account/SignUp', 'signUp'],
    ['[SUP-01]', '/account/signup', 'signUp'],
    ['[SUP-01]', '/account/StartFreeTrial', 'signUp'],
    ['[SIN-01]', '/account/signin', 'signIn'],
    ['[SIN-01]', '/account/Signin', 'signIn'],
    ['[SIN-01]', '/Account/SignIn', 'signIn'],
    ['[SIN-01]', '/legal-staff/signin', 'signIn'],
    ['[OTP-01]', '/account/verifyOtp', 'verifyOtp'],
    ['[OTP-01]', '/Account/verifyOtp', 'verifyOtp'],
    ['[RED-01]', '/account/Redirect', 'redirect'],
    ['[RED-01]', '/Account/Redirect', 'redirect'],
    ['[RED-02]', '/legal-staff/Redirect', 'redirect'],
    ['[ROL-01]', '/account/SelectRoles', 'selectRoles'],
    ['[SCR-01]', '/account/Signout', 'signOut'],
    ['[SCR-02]', '/account/congratulation', 'congratulation'],
    ['[SCR-03]', '/account/UnAuthorizedAccess', 'unauthorized'],
    ['[SCR-05]', '/account/ErrorPage', 'notFound'],
    ['[SCR-06]', '/account/redirect', 'redirect'],
    ['[SCR-06]', '/account/unauthorizedaccess', 'unauthorized'],
  ])('%s %s is %s', (_id, path, name) => {
    expect(screenAt(path)).toBe(name);
  });

  test.each(PATHS)(
    '[GEN-06] %s is found in any letter case, with and without a closing slash',
    (path, name) => {
      const spellings = [path, path.toLowerCase(), path.toUpperCase(), `${path}/`, `${path}//`];
      expect(spellings.map(screenAt)).toEqual(spellings.map(() => name));
    },
  );

  test.each([
    '',
    '/',
    '/account',
    '/account/',
    '/account/signin/x',
    'account/signin',
    '/account//signin',
    '/account/signin?x',
    '/account/toString',
    '/account/sıgnın',
  ])('[SCR-05] %j is unknown', (path) => {
    expect(screenAt(path)).toBeNull();
  });

  // A pattern for closing slashes takes quadratic time on the second one.
  it('[GEN-06] answers rightly to 64 KiB of slashes', () => {
    const slashes = '/'.repeat(65_536);
    expect(screenAt(`/account/signin${slashes}`)).toBe('signIn');
    expect(screenAt(`${slashes}x`)).toBeNull();
    expect(screenAt(slashes)).toBeNull();
  });

  it('[GEN-06] no path is two screens', () => {
    const normal = PATHS.map(([path]) => path.toLowerCase());
    expect(new Set(normal).size).toBe(normal.length);
  });
});

describe('entranceOf', () => {
  test.each([
    ['/legal-staff/signin', 'legalStaff'],
    ['/LEGAL-STAFF/Redirect', 'legalStaff'],
    ['/legal-staff/account/signin', 'legalStaff'],
    ['/account/signin', 'portal'],
    ['/', 'portal'],
  ])(
    "[SIN-01] 'Staff Payment Login' when the path contains legal-staff: %s is %s",
    (path, entrance) => {
      expect(entranceOf(path)).toBe(entrance);
    },
  );
});

describe('pathOf', () => {
  test.each(NAMES)('the path of %s leads back to it', (name) => {
    expect(screenAt(pathOf(name))).toBe(name);
    expect(screenAt(pathOf(name, 'legalStaff'))).toBe(name);
    expect(entranceOf(pathOf(name))).toBe('portal');
  });

  it('[RED-02] staff stay at their own door where there is one', () => {
    expect(pathOf('signIn', 'legalStaff')).toBe('/legal-staff/signin');
    expect(pathOf('redirect', 'legalStaff')).toBe('/legal-staff/Redirect');
    expect(pathOf('selectRoles', 'legalStaff')).toBe('/account/SelectRoles');
  });

  it('[SUP-01] the free trial is the sign-up screen', () => {
    expect(screenAt(FREE_TRIAL_PATH)).toBe('signUp');
  });
});

it('[GEN-08] forms stand beside the banner, everything else has the full width', () => {
  const beside = NAMES.filter((name) => 'hasBanner' in SCREENS[name]);
  expect(beside).toEqual(expect.arrayContaining(['signIn', 'signUp', 'verifyOtp']));
  expect(beside).not.toContain('redirect');
  expect(beside).not.toContain('selectRoles');
});
