import { newMember } from './support/people.ts';
import { enterCode, field, fillSignUp, heading } from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';

/** Takes away what came into JavaScript after the oldest browsers of `vite.config.ts`. */
function forgetNewer(): void {
  const newer: readonly (readonly [object, readonly string[]])[] = [
    [
      Array.prototype,
      ['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with'],
    ],
    [Array, ['fromAsync']],
    [String.prototype, ['at', 'isWellFormed', 'toWellFormed']],
    [Object, ['hasOwn', 'groupBy']],
    [Map, ['groupBy']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf']],
    [Promise, ['any', 'try', 'withResolvers']],
    [AbortSignal, ['any', 'timeout']],
    [Crypto.prototype, ['randomUUID']],
    [URL, ['canParse', 'parse']],
    [Intl, ['DurationFormat', 'ListFormat', 'Segmenter']],
    [globalThis, ['structuredClone', 'reportError', 'scheduler', 'requestIdleCallback']],
  ];
  for (const [owner, names] of newer) for (const name of names) Reflect.deleteProperty(owner, name);
}

test('[B4] sign-up, sign-in and My account work in the oldest browsers', async ({ page, code }) => {
  await page.addInitScript(forgetNewer);
  const member = newMember();
  await page.goto('/Account/SignUp');
  await fillSignUp(page, { ...member, email: member.email.replace(/@.*/, '@gmial.com') });
  await field(page, 'email').focus();
  await field(page, 'password').focus();
  await expect(page.getByText('Did you mean').first()).toBeVisible();
  await field(page, 'email').fill(member.email);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  await signInWithCode(page, member, code, '/account/me');
  await expect(page).toHaveURL('/account/me');
  await awake(page);
  await expect(page.getByRole('complementary')).toContainText('One light is on');
});
