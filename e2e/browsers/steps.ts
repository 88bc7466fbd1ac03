import { expect } from '@playwright/test';
import type { Member } from '../support/people.ts';
import { button, field, heading, type Visitor } from './visitor.ts';

type Credentials = Pick<Member, 'email' | 'password'>;
type ReadCode = (to: string) => Promise<string>;

export const CODE = heading('Enter your 6-digit code');
export const SWITCHER = heading('Accounts switcher');
export const INTAKE = heading('Member Intake');

export async function fillSignUp(visitor: Visitor, member: Member): Promise<void> {
  await visitor.fill(field('firstName'), member.firstName);
  await visitor.fill(field('lastName'), member.lastName);
  await visitor.fill(field('phone'), member.phone);
  await visitor.fill(field('email'), member.email);
  await visitor.fill(field('password'), member.password);
  await visitor.fill(field('confirmPassword'), member.password);
}

/** Sends the sign-in form, wherever that leads. */
export async function sendSignIn(
  visitor: Visitor,
  { email, password }: Credentials,
): Promise<void> {
  await visitor.fill(field('email'), email);
  await visitor.fill(field('password'), password);
  await visitor.click(button('Login'));
}

export async function enterCode(visitor: Visitor, code: string): Promise<void> {
  await visitor.hasFocusOn({ css: '[aria-label="Digit 1 of 6"]' });
  await visitor.type(code);
  await visitor.click(button('Verify OTP'));
}

/** Signs in with password and code; what comes after that is the journey's. */
export async function signIn(
  visitor: Visitor,
  credentials: Credentials,
  readCode: ReadCode,
): Promise<void> {
  await visitor.open('/account/signin');
  await sendSignIn(visitor, credentials);
  await visitor.sees(CODE);
  await enterCode(visitor, await readCode(credentials.email));
}

const overhang = (visitor: Visitor) =>
  visitor.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    return { width: innerWidth, overhang: scrollWidth - clientWidth };
  });

export async function expectNoSidewaysScroll(visitor: Visitor, path: string): Promise<void> {
  for (const width of [390, 1440]) {
    await visitor.resize(width, 900);
    await visitor.until(async () =>
      expect(await overhang(visitor), path).toEqual({ width, overhang: 0 }),
    );
  }
}
