import { type AccountChange, accountChanges } from '#texts/account-mails.ts';
import { describe, expect, test } from 'vitest';
import { porchColours } from '#domain/looks/porch-colours.ts';
import { contrast } from '#domain/looks/colour.ts';
import { defaultTimers as timers } from '../testing/timers.ts';
import { mailMessage, type Message, smsMessage } from './compose-message.ts';
import type { Sender } from './sender.ts';
import { type TemplateName, TEMPLATES } from './templates.ts';
import type { MailContent } from './mail-blocks.ts';

const ORIGIN = 'https://portal.example.test';
const CODE = '042917';
const RESET_LINK = `${ORIGIN}/account/resetPassword?resetLinkKey=k-e_y`;
const STAFF_LINK = `${ORIGIN}/account/change?key=abc`;
const ACTIVATION_LINK = `${ORIGIN}/account/Activation?UID=a3xyfDc%3D&SUP=MQ%3D%3D`;
const SIGN_IN = `${ORIGIN}/account/signin?subtenantId=900`;
const SIGN_UP = `${ORIGIN}/Account/SignUp?subtenantId=900`;
const FORGOT = `${ORIGIN}/account/ForgetPassword?subtenantId=900`;
const UNDO = `${ORIGIN}/account/undo?key=sample`;
const CHANGES = Object.keys(accountChanges) as AccountChange[];
const WORDS = {
  name: 'Rosa Lind',
  email: 'r•••@example.test',
  phone: '90',
  date: 'December 1',
  helper: 'Elena Castellanos',
  key: 'iPad',
  label: 'Rosewood',
  left: '9',
  role: 'Member',
};
const AT = new Date('2026-11-21T16:30:00Z');
const HELP = { phone: '+1 800 555 0199', email: 'help@example.test' };
/** Whom every mail names first, and second. */
const CALL_AND_WRITE = ['tel:+18005550199', 'mailto:help@example.test'];
const SENDER: Sender = {
  id: 900,
  name: 'Harbor & Point Care',
  logo: { url: `${ORIGIN}/logos/900.png`, width: 48, height: 48 },
  accent: '#8A3B12',
  help: HELP,
  language: 'en',
};

type Given = { readonly sender?: Sender; readonly firstName?: string };
type Code = Parameters<typeof TEMPLATES.code>[0];

const mail = (write: (person: { sender: Sender; firstName: string }) => MailContent) => {
  return ({ sender = SENDER, firstName = 'Rosa' }: Given = {}): Message =>
    mailMessage('rosa@example.test', write({ sender, firstName }), sender);
};
const code = (given: Given & Partial<Code> = {}) =>
  mail((person) =>
    TEMPLATES.code({
      ...person,
      code: CODE,
      purpose: 'signUp',
      lifeMs: 120_000,
      endsAt: AT,
      timeZone: null,
      link: ACTIVATION_LINK,
      linkLifeMs: timers.activationLinkMs,
      ...given,
    }),
  )(given);
const sms = (channel: 'sms' | 'whatsapp', sender: Sender = SENDER) =>
  smsMessage(channel, '+15550142290', {
    code: CODE,
    lifeMs: 120_000,
    host: 'portal.example.test',
    sender,
  });

type Row = {
  readonly template: TemplateName;
  readonly what: string;
  readonly write: (given?: Given) => Message;
  /** The link that can do something by itself. */
  readonly link: string | null;
  /** Where its button leads. */
  readonly button: string | null;
};

const row = (
  template: TemplateName,
  what: string,
  write: Row['write'],
  { link = null, button = link }: { link?: string | null; button?: string | null } = {},
): Row => ({ template, what, write, link, button });

/** Every mail there is. */
const MAILS: readonly Row[] = [
  row('code', 'the code of a sign-up', code, { link: ACTIVATION_LINK }),
  row('code', 'the code of a sign-in', (given) =>
    code({ ...given, purpose: 'signIn', link: null }),
  ),
  row('code', 'the code for a role', (given) => code({ ...given, purpose: 'role', link: null })),
  row(
    'activation',
    'an activation link',
    mail((to) =>
      TEMPLATES.activation({ ...to, link: ACTIVATION_LINK, lifeMs: timers.activationLinkMs }),
    ),
    { link: ACTIVATION_LINK },
  ),
  row(
    'reset',
    'a reset',
    mail((to) => TEMPLATES.reset({ ...to, link: RESET_LINK, lifeMs: timers.resetLinkMs })),
    { link: RESET_LINK },
  ),
  row(
    'invitation',
    'an invitation',
    mail((to) => TEMPLATES.invitation({ ...to, link: RESET_LINK, lifeMs: timers.invitationMs })),
    { link: RESET_LINK },
  ),
  row(
    'passwordChanged',
    'a changed password',
    mail((to) => TEMPLATES.passwordChanged(to)),
  ),
  row(
    'staffChange',
    'a change that the help desk was asked for',
    mail((to) => TEMPLATES.staffChange({ ...to, link: STAFF_LINK })),
    { link: STAFF_LINK },
  ),
  row(
    'invited',
    'an invitation by a colleague',
    mail((to) =>
      TEMPLATES.invited({
        ...to,
        by: 'Nora Lind',
        role: 5,
        until: new Date('2026-12-05T12:00:00Z'),
        timeZone: 'UTC',
        link: STAFF_LINK,
      }),
    ),
    { link: STAFF_LINK },
  ),
  row(
    'invitedTaken',
    'an invitation to an address that has an account',
    mail((to) => TEMPLATES.invitedTaken(to)),
  ),
  row(
    'roleAdded',
    'an added role',
    mail((to) => TEMPLATES.roleAdded(to)),
  ),
  row(
    'accountExists',
    'an account that exists',
    mail((to) => TEMPLATES.accountExists({ ...to, signIn: SIGN_IN })),
    { button: SIGN_IN },
  ),
  row(
    'byOrganisation',
    'a sign-in by the organization',
    mail((to) => TEMPLATES.byOrganisation({ ...to, signIn: SIGN_IN, organisation: 'Rosewood' })),
    { button: SIGN_IN },
  ),
  row(
    'staffNote',
    'a note to staff',
    mail((to) =>
      TEMPLATES.staffNote({ ...to, note: { subject: 'A new logo', lines: ['It was changed.'] } }),
    ),
  ),
  row(
    'suspended',
    'an account that is switched off',
    mail((to) => TEMPLATES.suspended(to)),
  ),
  row(
    'nothingFound',
    'nothing found',
    mail((to) => TEMPLATES.nothingFound({ ...to, signUp: SIGN_UP })),
    { button: SIGN_UP },
  ),
  row(
    'firstSignIn',
    'the first sign-in',
    mail((to) => TEMPLATES.firstSignIn({ ...to, at: AT, timeZone: null, forgot: FORGOT })),
    { button: FORGOT },
  ),
  row(
    'newSignIn',
    'a new sign-in',
    mail((to) =>
      TEMPLATES.newSignIn({
        ...to,
        at: AT,
        timeZone: null,
        browser: { browser: 'Firefox', system: 'windows' } as const,
        forgot: FORGOT,
      }),
    ),
    { button: FORGOT },
  ),
  row(
    'newSignIn',
    'a new sign-in from somewhere',
    mail((to) =>
      TEMPLATES.newSignIn({
        ...to,
        at: AT,
        timeZone: null,
        browser: null,
        forgot: FORGOT,
      }),
    ),
    { button: FORGOT },
  ),
  row(
    'passwordTried',
    'a password that is tried',
    mail((to) => TEMPLATES.passwordTried({ ...to, forgot: FORGOT })),
    { button: FORGOT },
  ),
  ...CHANGES.map((kind) =>
    row(
      'accountNotice',
      `${kind}, with the way to a new password`,
      mail((to) =>
        TEMPLATES.accountNotice({
          ...to,
          notice: { kind, words: WORDS },
          forgot: FORGOT,
          timeZone: null,
        }),
      ),
      { button: FORGOT },
    ),
  ),
  row(
    'accountNotice',
    'a change that can be undone',
    mail((to) =>
      TEMPLATES.accountNotice({
        ...to,
        notice: { kind: 'emailChanged', words: WORDS, undo: { url: UNDO, until: AT } },
        forgot: FORGOT,
        timeZone: null,
      }),
    ),
    { link: UNDO },
  ),
  ...(['asked', 'started', 'endsSoon', 'ended'] as const).map((kind) =>
    row(
      'helper',
      `a helper: ${kind}`,
      mail((to) =>
        TEMPLATES.helper({
          ...to,
          mail: { kind, member: 'Ruth Castellanos', endsAt: AT },
          people: SIGN_IN,
          timeZone: null,
        }),
      ),
      kind === 'ended' ? {} : { button: SIGN_IN },
    ),
  ),
  row(
    'helperCopy',
    'a copy for a helper',
    mail((to) =>
      TEMPLATES.helperCopy({ ...to, member: 'Ruth Castellanos', kind: 'passwordChanged' }),
    ),
  ),
  ...([7, 1] as const).map((days) =>
    row(
      'trialEnds',
      `a trial with ${days} to go`,
      mail((to) =>
        TEMPLATES.trialEnds({ ...to, days, endsAt: AT, timeZone: null, signIn: SIGN_IN }),
      ),
      { button: SIGN_IN },
    ),
  ),
];
const textOf = (template: TemplateName) =>
  MAILS.find((each) => each.template === template)?.write().text ?? '';

test('every template is among the mails below', () => {
  expect([...new Set(MAILS.map(({ template }) => template))].toSorted()).toEqual(
    Object.keys(TEMPLATES).toSorted(),
  );
});

test('[V30] all mails but these have a button that calls beside what they tell', () => {
  const silent = MAILS.filter(
    ({ write }) => !write().html?.includes('class="call" href="tel:+18005550199"'),
  );
  expect(silent.map(({ what }) => what)).toEqual([
    'an activation link',
    'a reset',
    'an invitation',
    'an invitation by a colleague',
    'an account that exists',
    'a sign-in by the organization',
    'a note to staff',
    'nothing found',
    'a helper: asked',
    'a helper: started',
    'a helper: endsSoon',
    'a helper: ended',
    'a copy for a helper',
  ]);
});

/** Everything in a page that a mail program would fetch or open. */
const fetched = (html: string) =>
  [...html.matchAll(/\b(?:src|srcset|background|poster|data|action)\s*=\s*"([^"]*)"/gi)].map(
    ([, url]) => url,
  );
const linksIn = (html: string) => opened(html).map((url) => decoded(url ?? ''));
const opened = (html: string) =>
  [...html.matchAll(/\bhref\s*=\s*"([^"]*)"/gi)].map(([, url]) => url);
const decoded = (text: string) =>
  text.replace(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)));

describe.each(MAILS)('$what', ({ template, write, link, button }) => {
  const message = write();
  const html = message.html ?? '';

  test('is a mail to the person, in the name of the subtenant', () => {
    expect(message).toMatchObject({ channel: 'email', to: 'rosa@example.test', link });
    expect(message.subject).toContain('Harbor & Point Care');
    expect(message.text).toContain('Sent by Harbor & Point Care with Porchlight.');
    expect(html).toContain('Harbor &#38; Point Care');
    expect(html).toContain('lang="en"');
    expect(message.text).toContain(template === 'nothingFound' ? 'Hello,' : 'Hello Rosa,');
  });

  test('says the same in text and in HTML, with nothing left to fill in', () => {
    // Without the line with the logo, and with the boxes of a code as one word.
    const shown = html
      .replace(/<(style|title)>.*?<\/\1>/g, '')
      .replace(/<td style="padding:0 12px 20px">.*?<\/td>/, '')
      .replace(/<(?:\/?(?:span|bdi)|wbr)[^>]*>/g, '');
    const body = decoded(shown.replace(/<[^>]+>/g, '\n'));
    const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
    // What is a button there is a link here, and a code stands in its two groups.
    const asPlain = words(body)
      .replaceAll('Press the button', 'Open this link')
      .replaceAll('the button', 'the link')
      .replace('Type this code', 'Type 042 917');
    expect(asPlain).toBe(words(message.text));
    expect(message.text).not.toMatch(/button/i);
    for (const part of [message.subject, message.text, html]) {
      expect(part).not.toMatch(/\{\w+\}|undefined|null|NaN/);
    }
  });

  test('fetches the logo and nothing else, and opens our own link, our phone and our mailbox', () => {
    expect(fetched(html)).toEqual([SENDER.logo?.url, 'cid:porch']);
    const links = linksIn(html);
    expect(links.filter((url) => CALL_AND_WRITE.includes(url))).toEqual(CALL_AND_WRITE);
    const expected = button ? [button] : [];
    expect(links.filter((url) => !CALL_AND_WRITE.includes(url))).toEqual(expected);
    expect(html).not.toMatch(
      /url\(|@import|<(?:script|iframe|object|embed|form|link|base|meta http)/i,
    );
    const addresses = message.text.match(/https?:\S+/g) ?? [];
    expect(addresses).toEqual(button ? [button] : []);
  });

  test('without a picture that mail programs draw: the name in words, and nothing is fetched', () => {
    const plain = write({ sender: { ...SENDER, logo: null } }).html ?? '';
    expect(fetched(plain)).toEqual(['cid:porch']);
    expect(plain).toMatch(/<span class="ink"[^>]*>Harbor &#38; Point Care<\/span>/);
  });

  test('escapes what others wrote', () => {
    const nasty = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&amp;`;
    const written = write({
      firstName: nasty,
      sender: {
        id: 900,
        name: nasty,
        logo: { url: `${ORIGIN}/"><script>`, width: 48, height: 48 },
        accent: `red"><script>`,
        help: { phone: nasty, email: nasty },
        language: 'en',
      },
    });
    const tags = [...(written.html ?? '').matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(
      ([, tag]) => tag,
    );
    expect(tags).not.toContain('script');
    // The logo and the porch.
    expect(tags.filter((tag) => tag === 'img')).toHaveLength(2);
    expect(decoded(written.html ?? '')).toContain(`Sent by ${nasty} with Porchlight.`);
  });

  test.each([
    ['https://evil.example/win', 'https evil example'],
    ['Rosa\r\n\r\nCall 555 now', 'Rosa Call now'],
    ['Call 1-900-555-0100 or visit evil.example win now', 'Call or visit'],
    ['www.evil.example', 'www evil example'],
    ['rosa@evil.example', 'rosa evil example'],
    ['  J.R.  ', 'J R'],
    ['María del Carmen López', 'María del Carmen'],
    ['٠١٢٣ Ada', 'Ada'],
    ["Anne-Marie O'Neil", "Anne-Marie O'Neil"],
    ['Зоя', 'Зоя'],
    ['Nguyễn Thị', 'Nguyễn Thị'],
    ['x'.repeat(400), 'x'.repeat(50)],
  ])('[D27] a name is a name and no advertisement: %j', (firstName, shown) => {
    const written = write({ firstName });
    expect(written.text).toContain(
      template === 'nothingFound' ? 'Hello,\n\n' : `Hello ${shown},\n\n`,
    );
    expect(opened(written.html ?? '')).toEqual(opened(html));
    expect(written.subject).toBe(message.subject);
  });

  test('[V30] names the phone once, before the address', () => {
    expect(message.text.split(HELP.phone)).toHaveLength(2);
    expect(message.text.indexOf(HELP.email)).toBeGreaterThan(message.text.indexOf(HELP.phone));
  });

  test('[V31] tells no clock time in a zone that nobody named', () => {
    expect(message.text).not.toMatch(/\d:\d\d|UTC/);
  });

  test('[V32] no words are smaller than 17 px, and the card has no edge that curls at its corners', () => {
    const sizes = [...html.matchAll(/font-size:(\d+)px/g)].map(([, size]) => Number(size));
    // The ground of the picture has none.
    expect(sizes.filter((size) => size > 0 && size < 17)).toEqual([]);
    expect(html).not.toContain('border-top:');
  });

  test('a subject is one line', () => {
    expect(message.subject).toMatch(/^[^\r\n]+$/);
  });
});

describe('[OTP-06] codes', () => {
  test('the code comes first, in the subject, the text and on the lock screen', () => {
    const message = code();
    expect(message.subject).toBe('042917 is your Harbor & Point Care code');
    expect(message.text.split('\n')[0]).toBe('042917 is your Harbor & Point Care code.');

    expect(message.code).toBe(CODE);
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(message.html ?? '')?.[1] ?? '';
    expect(title.replace(/<[^>]+>/g, '')).toMatch(/^042917 is your/);
    for (const channel of ['sms', 'whatsapp'] as const) {
      expect(sms(channel).text).toMatch(/^042917 is your Harbor & Point Care code\./);
    }
  });

  test('[V16] [V32] is read in two groups of three, and copied as six digits', () => {
    const html = code().html ?? '';
    const groups = html.match(
      /<span style="display:inline-block[^>]*>(?:<span class="digit".*?<\/span>)+<\/span>/g,
    );
    expect(
      groups?.map((group) =>
        group
          .replace(/<[^>]+>/g, '|')
          .match(/\d/g)
          ?.join(''),
      ),
    ).toEqual(['042', '917']);
    expect(code().text).toContain('Type 042 917 in the six boxes on the sign-up page.');
    // What autofill looks for stays in one piece, and comes first.
    for (const text of [code().subject, code().text, sms('sms').text]) {
      expect(text).toContain('042917');
    }
  });

  test('[V31] says until when by the clock, in a zone that the operator named', () => {
    expect(code({ timeZone: 'America/New_York' }).text).toContain('until 11:30 AM EST.');
    expect(code().text).toContain('The code works for 2 minutes. Too late?');
  });

  test('[V32] says that nobody from us asks for it', () => {
    for (const { text } of [code(), sms('sms'), sms('whatsapp')]) {
      expect(text).toContain('Nobody from us will ask you for this code.');
    }
  });

  test('a text says how long the code works where one message has room for it', () => {
    const long = sms('sms', {
      ...SENDER,
      name: 'The Harbor and Point Care Centers of New England',
    });
    expect(long.text).not.toContain('It works for');
    expect(long.text).toContain('Nobody from us will ask you for this code.');
    expect(long.text.length).toBeLessThanOrEqual(160);
  });

  test.each(['sms', 'whatsapp'] as const)('%s: bound to our domain in its last line', (channel) => {
    const message = sms(channel);
    expect(message).toMatchObject({ channel, to: '+15550142290', subject: '', html: null });
    expect(message.text.split('\n').at(-1)).toBe('@portal.example.test #042917');
    expect(message.link).toBeNull();
    expect(message.text).not.toContain('http');
    expect(message.text).toContain('It works for 2 minutes. Nobody from us will ask you');
    // One text message: 160 characters of the GSM alphabet.
    expect(message.text.length).toBeLessThanOrEqual(160);
  });

  test.each([
    [120_000, 'The code works for 2 minutes.'],
    [60_000, 'The code works for 1 minute.'],
  ])('%i ms to live: %s', (lifeMs, line) => {
    expect(code({ lifeMs }).text).toContain(line);
  });

  test('where it is typed depends on what it is for', () => {
    expect(code({ purpose: 'signUp' }).text).toContain('sign-up page');
    expect(code({ purpose: 'signIn' }).text).toContain('sign-in page');
  });

  test('the link beside it names its time, and that any device will do', () => {
    expect(code().text).toContain('on any device. It works for 1 day.\n\nConfirm my email address');
    expect(code({ link: null }).text).not.toContain('http');
  });

  test('a subtenant that is named like a placeholder changes nothing', () => {
    const { subject } = code({ sender: { ...SENDER, name: '{code}' } });
    expect(subject).toBe('042917 is your {code} code');
  });
});

test('[R6] a reset warns who did not ask, a changed password says where to turn to', () => {
  expect(textOf('reset')).toContain('30 minutes');
  expect(textOf('reset')).toContain('You did not ask for this?');
  expect(textOf('invitation')).toContain('once, and for 3 days');
  expect(textOf('invitation')).toContain('You do not know');
  expect(textOf('passwordChanged')).toContain('We signed you out everywhere.');
  expect(textOf('passwordChanged')).toContain(
    'Was this not you? Call us now.\n\nCall +1 800 555 0199',
  );
});

test('a new sign-in: when, roughly with what, and what to do if it was somebody else', () => {
  expect(textOf('newSignIn')).toContain(
    'Just before we sent this mail, someone signed in with Firefox on Windows.',
  );
  expect(textOf('newSignIn')).toContain('Was this not you? Call us now.');
  const { blocks } = TEMPLATES.newSignIn({
    firstName: 'Rosa',
    sender: SENDER,
    at: AT,
    timeZone: 'America/New_York',
    browser: null,
    forgot: FORGOT,
  });
  expect(JSON.stringify(blocks)).toContain('On Saturday, November 21, 2026, 11:30 AM EST someone');
});

test('[V16] the name stands beside a logo that does not spell it, and not beside a wide one', () => {
  const beside = /<img[^>]*alt=""[^>]*> <span class="ink"[^>]*>Harbor &#38; Point Care<\/span>/;
  const logo = { url: `${ORIGIN}/logos/900.png`, height: 40 };
  const htmlWith = (width: number) =>
    code({ sender: { ...SENDER, logo: { ...logo, width } } }).html ?? '';
  expect(htmlWith(40)).toMatch(beside);
  expect(htmlWith(160)).not.toMatch(beside);
  expect(htmlWith(160)).toContain('alt="Harbor &#38; Point Care"');
});

test('[V35] the end of a trial: how far off, the day, what it costs, and what comes then', () => {
  const [week, day] = MAILS.filter(({ template }) => template === 'trialEnds');
  expect(week?.write().subject).toBe('Your Harbor & Point Care free trial ends in 7 days');
  expect(day?.write().subject).toBe('Your Harbor & Point Care free trial ends in 1 day');
  expect(day?.write().text).toContain('Your trial ends on Saturday, November 21, 2026.');
  // What is true of this product: it asks for no means of payment, and goes on signing people in (decision 060).
  expect(day?.write().text).toContain('We asked for no card and no bank account when it began.');
  expect(day?.write().text).toContain('You can still sign in after that day.');
});

describe('colours', () => {
  const htmlFor = (accent: string | null) => code({ sender: { ...SENDER, accent } }).html ?? '';

  test('a subtenant without one of its own has ours', () => {
    expect(htmlFor(null)).toContain('#0B4A52');
    expect(htmlFor('red')).toContain('#0B4A52');
  });

  test('one with a colour has that colour, and none of ours', () => {
    expect(htmlFor('#6D28D9')).toContain('background:#6D28D9');
    expect(htmlFor('#6D28D9')).not.toContain('#0B4A52');
  });

  test.each(['#FFD400', '#7AC143', '#FFFFFF', '#000000', '#1F5FA8'])(
    '%s: text on the button and around it reads at 7:1, in light and in dark',
    (accent) => {
      const html = htmlFor(accent);
      const inline = /class="button"[^>]*background:(#\w{6});color:(#\w{6})/.exec(html) ?? [];
      const dark = /\.button\{background:(#\w{6}) !important;color:(#\w{6})/.exec(html) ?? [];
      for (const [, ground = '', words = ''] of [inline, dark]) {
        expect(contrast(ground, words)).toBeGreaterThanOrEqual(7);
      }
      const [, darkGround = ''] = /\.digit\{background:(#\w{6})/.exec(html) ?? [];
      const [, lightGround = ''] = /class="digit"[^>]*background:(#\w{6})/.exec(html) ?? [];
      expect(contrast(darkGround, '#F3F1E8')).toBeGreaterThanOrEqual(7);
      expect(contrast(lightGround, '#12262A')).toBeGreaterThanOrEqual(7);
    },
  );

  test('mail programs are told that there is a dark one', () => {
    expect(htmlFor(null)).toContain('<meta name="color-scheme" content="light dark">');
    expect(htmlFor(null)).toContain('@media (prefers-color-scheme:dark)');
    expect(htmlFor(null)).toContain('[data-ogsc] .card');
  });

  test('[V32] the porch stands on the ground of the subtenant, by day and by night', () => {
    for (const accent of [null, '#6D28D9']) {
      const { light, dark } = porchColours(accent);
      expect(htmlFor(accent)).toMatch(new RegExp(`class="porch"[^>]*background:${light.panel}`));
      expect(htmlFor(accent)).toContain(`.porch{background:${dark.panel} !important}`);
    }
  });
});
