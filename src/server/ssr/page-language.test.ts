import { expect, test } from 'vitest';
import { createTestAppWithPages, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestAppWithPages({}));

const PATH = '/account/signin';
const FROM_ELSEWHERE = { 'sec-fetch-site': 'cross-site' };

async function pageIn(visitor: Visitor, path = PATH, headers: Record<string, string> = {}) {
  const answer = await visitor.request(path, { headers, redirect: 'manual' });
  const html = await answer.text();
  return {
    answer,
    lang: /<html lang="([^"]*)"/.exec(html)?.[1],
    dir: /<html [^>]*dir="([^"]*)"/.exec(html)?.[1],
  };
}

test('[LNG-02] [LNG-06] a link from elsewhere counts until the browser closes', async () => {
  const visitor = testApp.visitor();
  const { answer, lang, dir } = await pageIn(visitor, `${PATH}?lang=ar-XB`, FROM_ELSEWHERE);
  expect({ lang, dir }).toEqual({ lang: 'ar-XB', dir: 'rtl' });
  expect(answer.headers.get('content-language')).toBe('ar-XB');
  expect(answer.headers.get('vary')).toContain('cookie, accept-language');
  expect(visitor.setCookies.find((line) => line.startsWith('language='))).not.toContain('Max-Age');
  expect((await pageIn(visitor)).lang).toBe('ar-XB');
});

test('[LNG-03] a link of our own page is a choice, and no later link changes it', async () => {
  const visitor = testApp.visitor();
  const { answer } = await pageIn(visitor, `${PATH}?subtenantId=900&lang=en-XA`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${PATH}?subtenantId=900`]);
  expect(visitor.setCookies.find((line) => line.startsWith('language='))).toContain('Max-Age');
  expect((await pageIn(visitor)).lang).toBe('en-XA');
  await pageIn(visitor, `${PATH}?lang=ar-XB`, FROM_ELSEWHERE);
  expect((await pageIn(visitor)).lang).toBe('en-XA');
});

test.each([
  ['no fetch metadata, and no page before', { 'sec-fetch-site': '' }],
  [
    'another site, without fetch metadata',
    { 'sec-fetch-site': '', referer: 'https://evil.example/' },
  ],
  ['an address that was typed', { 'sec-fetch-site': 'none' }],
])('[LNG-03] of %s, a link is no choice of the account', async (_who, headers) => {
  const visitor = testApp.visitor();
  await visitor.signIn('member');
  await pageIn(visitor, `/account/me?lang=ar-XB`, headers);
  const row = await testApp.db
    .selectFrom('users')
    .select('language')
    .where('email', '=', 'member@demo.porchlight.test')
    .executeTakeFirstOrThrow();
  expect(row.language).toBeNull();
});

test(
  '[LNG-03] [LNG-04] a choice travels with the account, and its mails follow',
  { tags: 'long' },
  async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('top');
    await pageIn(visitor, `${PATH}?lang=en-XA`);
    // Another browser, whose own choice wins there, and whose link does not.
    const other = testApp.visitor();
    await other.signIn('top');
    expect((await pageIn(other, `${PATH}?lang=ar-XB`, FROM_ELSEWHERE)).lang).toBe('en-XA');
    // A stranger who reads another language asks for a reset.
    const stranger = testApp.visitor();
    await pageIn(stranger, `${PATH}?lang=ar-XB`);
    const email = 'top@demo.porchlight.test';
    await stranger.ok('forgotPassword', { body: { userName: email, emailID: email } });
    await testApp.app.outbox.settle();
    const mail = (await testApp.inbox(email)).find(({ link }) => link !== null);
    expect(mail?.subject).toBe('[Seét aá neéw paásswoórd foór Rosewood Senior Living]');
    expect(mail?.text).toContain('Choóoóseé aá neéw paásswoórd');
    expect(new URL(mail?.link ?? '').searchParams.get('lang')).toBe('en-XA');
  },
);

test('[LNG-04] a sign-up is written to in the language of its page', { tags: 'long' }, async () => {
  const visitor = testApp.visitor();
  await pageIn(visitor, `${PATH}?lang=ar-XB`);
  await visitor.register({ emailAddress: 'mirror@example.test' });
  const mail = (await testApp.inbox('mirror@example.test')).find(({ link }) => link !== null);
  expect(mail?.text).toContain('\u202e');
  const { language } = await testApp.db
    .selectFrom('users')
    .select('language')
    .where('email', '=', 'mirror@example.test')
    .executeTakeFirstOrThrow();
  expect(language).toBe('ar-XB');
  // Somebody else's sign-up with this address does not change it.
  const stranger = testApp.visitor();
  await pageIn(stranger, `${PATH}?lang=en-XA`);
  await stranger.signUp({ emailAddress: 'mirror@example.test' });
  const after = await testApp.db
    .selectFrom('users')
    .select('language')
    .where('email', '=', 'mirror@example.test')
    .executeTakeFirstOrThrow();
  expect(after.language).toBe('ar-XB');
});

test('[LNG-05] survey, countries and plain pages are in the language, refusals are not', async () => {
  const visitor = testApp.visitor();
  await pageIn(visitor, `${PATH}?lang=en-XA`);
  expect((await visitor.ok('getSurvey', {}))[0]?.response).toBe('[OÓtheér]');
  const { messages } = await visitor.call('getOwnSurvey', { params: { userId: '1' } });
  expect(messages).toEqual(['This is not allowed from here.']);
  const plain = await visitor.request('/idp/v2/logout?returnTo=https://evil.example', {});
  expect(await plain.text()).toContain('[Goó toó SiígnIín]'.replace('SiígnIín', 'Siígn IÍn'));
});

test('[LNG-02] a page is in the language of its subtenant where an operator set one', async () => {
  await testApp.db
    .updateTable('subtenants')
    .set({ language: 'en-XA' })
    .where('id', '=', 900)
    .execute();
  // Its look is cached.
  testApp.clock.advance(10);
  expect((await pageIn(testApp.visitor(), `${PATH}?subtenantId=900`)).lang).toBe('en-XA');
  expect((await pageIn(testApp.visitor())).lang).toBe('en');
});
