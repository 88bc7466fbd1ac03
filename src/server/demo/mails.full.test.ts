import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TEMPLATES } from '../notifications/templates.ts';
import { createTestApp } from '../testing/test-app.ts';
import { defaultTimers } from '../testing/timers.ts';
import { mailSamples } from './mail-samples.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const TENANTS = [3, 742, 900];
const page = (path: string) => testApp.visitor().request(path);
const HELP = { phone: '+1 555 010 0199', email: 'h@x.test' };
const SENDER = { id: 1, name: 'X', logo: null, accent: null, language: 'en' as const, help: HELP };
const SETTINGS = { publicUrl: 'https://x.test', timeZone: null, timers: defaultTimers };
const NAMES = mailSamples(SENDER, SETTINGS);

test('every template has a sample', () => {
  const shown = new Set(NAMES.map(({ template }) => template));
  expect([...shown].toSorted()).toEqual(Object.keys(TEMPLATES).toSorted());
});

test('[LNG-10] no mail or text message in Spanish has an English word, date or role', () => {
  const texts = mailSamples({ ...SENDER, language: 'es' }, SETTINGS).flatMap(({ mail, sms }) => [
    mail.subject,
    mail.text,
    mail.html?.replace(/<style[^]*?<\/style>|<[^>]*>/g, ' '),
    sms?.text,
  ]);
  const english = /\b(?:the|and|your?|you|with|for|this|is|are|of|to|we|please|Member|November)\b/i;
  const found = texts
    .flatMap((text) => text?.split('\n') ?? [])
    .filter((line) => english.test(line));
  expect(found).toEqual([]);
});

describe('[V34] /dev/inbox', () => {
  test('shows a mail as a mail program does, its code large, and when it came in words', async () => {
    const visitor = testApp.visitor();
    await visitor.register({ emailAddress: 'inbox@example.test' });
    testApp.clock.advance(125);
    const response = await page('/dev/inbox?to=inbox@example.test');
    expect(response.headers.get('content-security-policy')).toContain("frame-src 'self'");
    const html = await response.text();
    const [mail] = await testApp.inbox('inbox@example.test');
    const code = mail?.code ?? '';
    expect(html).toContain(`<b>${code.slice(0, 3)} ${code.slice(3)}</b>`);
    expect(html).toMatch(/>2 minutes ago<\/time>/);
    expect(html).not.toMatch(/>[^<]*\d\dT\d\d:/);
    const [, src = ''] = /<iframe sandbox="[^"]*" src="([^"]*)"/.exec(html) ?? [];
    const framed = await page(src);
    expect(framed.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*; sandbox allow-popups/,
    );
    const drawn = await framed.text();
    expect(drawn).toContain('class="digit"');
    expect(drawn).toContain('<base target="_blank">');
  });

  test('a text message is no mail: it has no page of its own, and neither has what is not there', async () => {
    const rows = await testApp.db
      .selectFrom('inbox_messages')
      .select('id')
      .where('channel', '=', 'sms')
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const id of [rows[0]?.id, randomUUID()]) {
      expect((await page(`/dev/inbox/${id}`)).status).toBe(404);
    }
    expect((await page('/dev/inbox/nothing')).status).toBe(400);
  });
});

describe('/dev/mails', () => {
  test.each(TENANTS)(
    'subtenant %i: every mail framed in a sandbox, as text and as SMS',
    async (id) => {
      const response = await page(`/dev/mails?subtenantId=${id}`);
      const html = await response.text();
      const frames = [...html.matchAll(/<iframe sandbox src="([^"]*)"/g)].map(([, src]) => src);
      expect(frames).toEqual(NAMES.map(({ name }) => `/dev/mails/${id}/${name}`));
      expect(html).toContain('@localhost #042917');
      expect(response.headers.get('content-security-policy')).toContain("frame-src 'self'");
      for (const src of frames) {
        const mail = await page(src ?? '');
        expect(mail.status).toBe(200);
        const policy = mail.headers.get('content-security-policy');
        expect(policy).toMatch(/default-src 'none'.*; sandbox$/);
        const drawn = await mail.text();
        expect(drawn).toContain(`/logos/${id}.png`);
        expect(drawn).toContain('src="/dev/porch.png"');
      }
    },
  );

  test('[V30] the samples name the phone and the address that every page names', async () => {
    const { phone, email } = testApp.config.help;
    const html = await (await page('/dev/mails/742/suspended')).text();
    const text = html.replaceAll(/<[^>]*>/g, '').replaceAll('\u00A0', ' ');
    expect(text).toContain(`Call ${phone}`);
    expect(text).toContain(email);
    expect((await page('/dev/porch.png')).headers.get('content-type')).toBe('image/png');
  });

  test('the inbox leads to it; what is not there is not found', async () => {
    expect(await (await page('/dev/inbox')).text()).toContain('href="/dev/mails"');
    for (const path of ['/dev/mails/742/nothing', '/dev/mails/77/reset', '/dev/mails/x/reset']) {
      expect((await page(path)).status).toBe(404);
    }
  });
});
