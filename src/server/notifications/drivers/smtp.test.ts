import { generateKeyPairSync } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { canonicalEmail } from '#domain/typed/validation.ts';
import { freePort } from '../../testing/free-port.ts';
import { TransientError, PermanentError } from '../../jobs/errors.ts';
import { type MailReceiver, startMailReceiver } from '../../testing/receivers.ts';
import type { Message } from '../compose-message.ts';
import type { MailConfig } from '../../config/delivery-config.ts';
import { createSmtpDriver } from './smtp.ts';

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function start(more: Partial<MailConfig> = {}) {
  const receiver = await startMailReceiver();
  const driver = createSmtpDriver(
    {
      url: receiver.url,
      from: 'Rosewood <a@example.test>',
      envelopeFrom: null,
      dkim: null,
      ...more,
    },
    { host: 'login.example.org', timeoutMs: 120_000 },
  );
  cleanUps.push(receiver.close, () => driver.close?.());
  const send = (message: Partial<Message> = {}, id = 'the-id') =>
    driver
      .send({
        message: {
          channel: 'email',
          to: 'rosa@example.test',
          subject: '123456 is your code',
          text: 'Your code is 123456',
          html: null,
          code: '123456',
          link: null,
          ...message,
        },
        id,
        idempotencyKey: 'k',
        validForMs: 120_000,
      })
      .catch((error: unknown) => error);
  return { receiver, driver, send };
}

const headerOf = ({ mails }: MailReceiver, name: string) =>
  new RegExp(`^${name}: (.*(?:\\n[ \\t].*)*)`, 'im').exec(mails[0] ?? '')?.[1];

describe('a mail', () => {
  test('is taken, with one Message-ID for all tries and no wish for an answer', async () => {
    const { receiver, send } = await start();
    expect(await send()).toEqual({ providerId: null });
    expect(headerOf(receiver, 'Message-ID')).toBe('<the-id@login.example.org>');
    expect(headerOf(receiver, 'Auto-Submitted')).toBe('auto-generated');
    expect(receiver.envelopes).toEqual([{ from: 'a@example.test', to: ['rosa@example.test'] }]);
  });

  test('[V32] brings the porch with it, where its HTML shows it', async () => {
    const { receiver, send } = await start();
    await send({ html: '<img src="cid:porch" alt="">' });
    const [mail = ''] = receiver.mails;
    expect(mail).toContain('multipart/related');
    expect(mail).toMatch(/^Content-Type: image\/png/m);
    expect(mail).toMatch(/^Content-ID: <porch>$/m);
    expect(mail).toMatch(/^Content-Disposition: inline/m);
  });

  test('comes back to an address of its own, if there is one', async () => {
    const { receiver, send } = await start({ envelopeFrom: 'bounces@example.test' });
    await send();
    expect(receiver.envelopes[0]?.from).toBe('bounces@example.test');
    expect(headerOf(receiver, 'From')).toBe('Rosewood <a@example.test>');
  });

  test('is signed by DKIM, if there is a key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const { receiver, send } = await start({
      dkim: { domain: 'example.test', selector: 'porch', privateKey },
    });
    await send();
    const signature = headerOf(receiver, 'DKIM-Signature') ?? '';
    expect(signature).toContain('d=example.test');
    expect(signature).toContain('s=porch');
    expect(signature).toMatch(/h=[^;]*from/i);
  });

  test('never waits in a pool of its own until its time is over', async () => {
    const { receiver, driver } = await start();
    await receiver.setMood('hang');
    const outgoing = {
      message: {
        channel: 'email' as const,
        to: 'rosa@example.test',
        subject: 's',
        text: 't',
        html: null,
        code: null,
        link: null,
      },
      id: 'late',
      idempotencyKey: 'k',
      validForMs: 300,
    };
    await expect(driver.send(outgoing)).rejects.toBeInstanceOf(TransientError);
    await receiver.setMood('ok');
    await driver.send({ ...outgoing, id: 'next', validForMs: 60_000 });
    expect(receiver.tries).toEqual(['<next@login.example.org>']);
  });
});

describe('[ACC-13] S65: mail goes to the domain by which the account is found', () => {
  test.each([
    ...['\u03F2', '\u{1D6D3}', '\u{1D70D}', '\u{1D747}', '\u{1D781}', '\u{1D7BB}'].map(
      (letter) => `x${letter}tag.example`,
    ),
    'xςtag.example',
    'βόλος.example',
    'ΒΌΛΟΣ.example',
    'straße.example',
    'STRAẞE.example',
    'क्\u200Dष.example',
    'bücher．example',
    'bu\u0308cher。example',
    'ﬁve.example',
    'XN--BCHER-KVA.example',
    'Plain.Example',
  ])('%s', async (domain) => {
    const { receiver, send } = await start({ envelopeFrom: 'bounces@example.test' });
    const to = `Rosa.Lind@${domain}`;
    expect(await send({ to })).toEqual({ providerId: null });
    const [, own = ''] = canonicalEmail(to).split('@');
    expect(own).toMatch(/^[a-z\d.-]+$/);
    const given = receiver.envelopes.flatMap((envelope) => envelope.to);
    // A server that takes letters gets the letters of that A-label.
    expect(given.map((address) => address.replace(/[^@]+$/, domainToASCII))).toEqual([
      `Rosa.Lind@${own}`,
    ]);
  });
});

describe('what would begin a header or a second address', () => {
  test.each<Partial<Message>>([
    { to: 'a@x.test\r\nBcc: b@x.test' },
    { to: 'a@x.test, b@x.test' },
    { to: 'A <a@x.test>' },
    { to: 'a@x.test;b@x.test' },
    { to: 'group: a@x.test;' },
    { to: '"a b"@x.test' },
    { to: 'a' },
    { to: '' },
    { subject: 'Code\r\nBcc: b@x.test' },
    { subject: 'Code\nX' },
    { subject: 'Code\u2028X' },
  ])('%j is refused for good and never sent', async (message) => {
    const { receiver, send } = await start();
    expect(await send(message)).toBeInstanceOf(PermanentError);
    expect(receiver.tries).toEqual([]);
  });
});

describe('a refusal of the server', () => {
  test.each([
    [550, '5.1.1 no such user', 'invalid'],
    [552, '5.2.2 mailbox full', 'unreachable'],
    [550, '5.7.1 not wanted here', 'blocked'],
    [550, '5.1.1 address is on our suppression list', 'suppressed'],
    [554, 'no', 'invalid'],
  ])('%s %s is for good: %s', async (code, text, reason) => {
    const { receiver, send } = await start();
    receiver.refuseRecipients({ code, text });
    const error = await send();
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ reason });
    // What a server writes may name the address: it stays out of logs.
    expect((error as Error).message).toMatch(/^The mail server answered 5\d\d( 5\.\d\.\d)?$/);
  });

  test('4xx about a recipient is worth another try, and says nothing against the server', async () => {
    const { receiver, send } = await start();
    receiver.refuseRecipients({ code: 450, text: '4.2.0 greylisted' });
    expect(await send()).toMatchObject({ name: 'TransientError', isRecipientOnly: true });
  });

  test('4xx about the mail is worth another try', async () => {
    const { receiver, send } = await start();
    await receiver.setMood(451);
    expect(await send()).toMatchObject({ name: 'TransientError', isRecipientOnly: false });
  });

  test('5xx about the mail itself is for good', async () => {
    const { receiver, send } = await start();
    await receiver.setMood(554);
    expect(await send()).toBeInstanceOf(PermanentError);
  });

  test('N8: no answer at all names the server and the cause', async () => {
    const { send } = await start({ url: `smtp://127.0.0.1:${await freePort()}` });
    expect((await send()) as Error).toMatchObject({
      name: 'TransientError',
      message: expect.stringMatching(
        /^The mail server 127\.0\.0\.1:\d+ does not answer \(connection refused\)$/,
      ),
    });
  });

  test('to our own login is about us: worth another try', async () => {
    const receiver = await startMailReceiver({ hasLogin: true });
    const url = receiver.url.replace('//', '//user:wrong@');
    const { send } = await start({ url });
    cleanUps.push(receiver.close);
    expect(await send()).toBeInstanceOf(TransientError);
    expect(receiver.mails).toEqual([]);
  });
});

describe('encryption', () => {
  test('a server elsewhere that offers none gets no mail', async () => {
    const receiver = await startMailReceiver();
    cleanUps.push(receiver.close);
    // The same machine under a name that is not the loopback's: its network address, as far as the driver can tell.
    const url = receiver.url.replace('127.0.0.1', '0.0.0.0');
    const { send } = await start({ url });
    expect(await send()).toBeInstanceOf(TransientError);
    expect(receiver.mails).toEqual([]);
    expect(receiver.tries).toEqual([]);
  });
});
