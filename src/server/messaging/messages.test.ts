import { describe, expect, test } from 'vitest';
import {
  codeMessage,
  type Message,
  passwordChangedMessage,
  resetMessage,
  roleAddedMessage,
  type Sender,
} from './messages.ts';

const ORIGIN = 'https://portal.example.test';
const CODE = '042917';
const RESET_LINK = `${ORIGIN}/account/resetPassword?resetLinkKey=k-e_y`;
const ACTIVATION_LINK = `${ORIGIN}/account/Activation?UID=a3xyfDc%3D&SUP=MQ%3D%3D`;
const SENDER: Sender = {
  name: 'Harbor & Point Care',
  logoUrl: `${ORIGIN}/logos/900.svg`,
  accent: '#8A3B12',
};

type Given = { readonly sender?: Sender; readonly firstName?: string };

const code = (given: Given & Partial<Parameters<typeof codeMessage>[0]> = {}) =>
  codeMessage({
    code: CODE,
    channel: 'email',
    to: 'rosa@example.test',
    firstName: 'Rosa',
    purpose: 'signUp',
    lifeMs: 120_000,
    sender: SENDER,
    host: 'portal.example.test',
    link: ACTIVATION_LINK,
    ...given,
  });
const person = ({ sender = SENDER, firstName = 'Rosa' }: Given) => ({
  to: 'rosa@example.test',
  firstName,
  sender,
});

/** Every mail there is. */
const MAILS: readonly (readonly [string, (given?: Given) => Message, string | null])[] = [
  ['the code of a sign-up', (given) => code(given), ACTIVATION_LINK],
  ['the code of a sign-in', (given) => code({ ...given, purpose: 'signIn', link: null }), null],
  ['a reset', (given = {}) => resetMessage({ ...person(given), link: RESET_LINK }), RESET_LINK],
  [
    'a changed password',
    (given = {}) => passwordChangedMessage({ ...person(given), help: 'help@example.test' }),
    null,
  ],
  [
    'an added role',
    (given = {}) =>
      roleAddedMessage({ ...person(given), role: 'Academy Member', help: 'help@example.test' }),
    null,
  ],
];

/** Everything in a page that a mail program would fetch or open. */
const fetched = (html: string) =>
  [...html.matchAll(/\b(?:src|srcset|background|poster|data|action)\s*=\s*"([^"]*)"/gi)].map(
    ([, url]) => url,
  );
const opened = (html: string) =>
  [...html.matchAll(/\bhref\s*=\s*"([^"]*)"/gi)].map(([, url]) => url);
const decoded = (text: string) =>
  text.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));

describe.each(MAILS)('%s', (_what, write, link) => {
  const message = write();
  const html = message.html ?? '';

  test('is a mail to the person, in the name of the subtenant', () => {
    expect(message).toMatchObject({ channel: 'email', to: 'rosa@example.test', link });
    expect(message.subject).toContain('Harbor & Point Care');
    expect(message.text).toContain('Sent by Harbor & Point Care with Porchlight.');
    expect(html).toContain('Harbor &#38; Point Care');
    expect(html).toContain('lang="en"');
    expect(message.text).toContain('Hello Rosa,');
  });

  test('says the same in text and in HTML, with nothing left to fill in', () => {
    const body = decoded(html.replace(/<(style|title)>.*?<\/\1>/g, '').replace(/<[^>]+>/g, '\n'));
    const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
    expect(words(body)).toBe(words(message.text));
    for (const part of [message.subject, message.text, html]) {
      expect(part).not.toMatch(/\{\w+\}|undefined|null|NaN/);
    }
  });

  test('fetches the logo and nothing else, and opens our own link and nothing else', () => {
    expect(fetched(html)).toEqual([SENDER.logoUrl]);
    expect(opened(html).map((url) => decoded(url ?? ''))).toEqual(link ? [link] : []);
    expect(html).not.toMatch(
      /url\(|@import|<(?:script|iframe|object|embed|form|link|base|meta http)/i,
    );
    const addresses = message.text.match(/https?:\S+/g) ?? [];
    expect(addresses).toEqual(link ? [link] : []);
  });

  test('escapes what others wrote', () => {
    const nasty = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;
    const written = write({
      firstName: nasty,
      sender: { name: nasty, logoUrl: `${ORIGIN}/"><script>`, accent: `red"><script>` },
    });
    const tags = [...(written.html ?? '').matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(
      ([, tag]) => tag,
    );
    expect(tags).not.toContain('script');
    expect(tags.filter((tag) => tag === 'img')).toHaveLength(1);
    expect(decoded(written.html ?? '')).toContain(`Sent by ${nasty} with Porchlight.`);
  });

  test.each([
    ['https://evil.example/win', 'https evil. example win'],
    ['Rosa\r\n\r\nCall 555 now', 'Rosa Call 555 now'],
    ['www.evil.example', 'www. evil. example'],
    ['rosa@evil.example', 'rosa evil. example'],
    ['  J.R.  ', 'J. R.'],
    ["Anne-Marie O'Neil", "Anne-Marie O'Neil"],
    ['Зоя', 'Зоя'],
    ['Nguyễn Thị', 'Nguyễn Thị'],
    ['x'.repeat(400), 'x'.repeat(50)],
  ])('[D27] a name is a name and no advertisement: %j', (firstName, shown) => {
    const written = write({ firstName });
    expect(written.text).toContain(`Hello ${shown},\n\n`);
    expect(opened(written.html ?? '')).toHaveLength(link ? 1 : 0);
    expect(written.subject).toBe(message.subject);
  });

  test('a subject is one line', () => {
    expect(message.subject).toMatch(/^[^\r\n]+$/);
  });
});

describe('[OTP-06] codes', () => {
  test('the code comes first, in the subject, the text and on the lock screen', () => {
    const mail = code();
    expect(mail.subject).toBe('042917 is your Harbor & Point Care code');
    expect(mail.text.split('\n')[0]).toBe('Your code is 042917');
    expect(mail.code).toBe(CODE);
    for (const channel of ['sms', 'whatsapp'] as const) {
      expect(code({ channel }).text).toMatch(/^042917 is your Harbor & Point Care code\./);
    }
  });

  test.each(['sms', 'whatsapp'] as const)('%s: bound to our domain in its last line', (channel) => {
    const message = code({ channel, to: '+15550142290' });
    expect(message).toMatchObject({ channel, to: '+15550142290', subject: '', html: null });
    expect(message.text.split('\n').at(-1)).toBe('@portal.example.test #042917');
    expect(message.link).toBeNull();
    expect(message.text).not.toContain('http');
    // One text message: 160 characters of the GSM alphabet.
    expect(message.text.length).toBeLessThanOrEqual(160);
  });

  test.each([
    [120_000, 'It works for 2 minutes from now.'],
    [60_000, 'It works for 1 minute from now.'],
  ])('%i ms to live: %s', (lifeMs, line) => {
    expect(code({ lifeMs }).text).toContain(line);
  });

  test('where it is typed depends on what it is for', () => {
    expect(code({ purpose: 'signUp' }).text).toContain('sign-up page');
    expect(code({ purpose: 'signIn' }).text).toContain('sign-in page');
  });

  test('a subtenant that is named like a placeholder changes nothing', () => {
    const { subject } = code({ sender: { ...SENDER, name: '{code}' } });
    expect(subject).toBe('042917 is your {code} code');
  });
});

test('[R6] a reset warns who did not ask, a changed password says where to turn to', () => {
  const [reset, changed] = [MAILS[2]?.[1]().text, MAILS[3]?.[1]().text];
  expect(reset).toContain('30 minutes');
  expect(reset).toContain('You did not ask for this?');
  expect(changed).toContain('We signed you out everywhere.');
  expect(changed).toContain('help@example.test');
});

test('a subtenant without a colour of its own has ours', () => {
  expect(code({ sender: { ...SENDER, accent: null } }).html).toContain('#0B4A52');
});
