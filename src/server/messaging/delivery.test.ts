/** The drivers against real servers that refuse, hang, fail and heal. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../testing/world.ts';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };
type Mode = 'ok' | 'fail' | 'drop' | 'hang';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function open(options: WorldOptions): Promise<World> {
  const world = await createWorld(options);
  cleanUps.push(() => world.close());
  return world;
}

/** An HTTP endpoint with moods. It notes what it was sent, also when it then fails. */
async function startEndpoint() {
  const received: Received[] = [];
  const endpoint = { mode: 'ok' as Mode, received, url: '' };
  const server = createHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      if (endpoint.mode === 'drop') request.socket.destroy();
      else if (endpoint.mode !== 'hang')
        response.writeHead(endpoint.mode === 'ok' ? 202 : 500).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
  cleanUps.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return endpoint;
}

/** The few words of SMTP (RFC 5321) that a sender of mail needs. */
async function startSmtp() {
  const smtp = { isBroken: false, mails: [] as string[], url: '' };
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    let data: string | null = null;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    const hear = (line: string) => {
      if (data !== null) {
        if (line !== '.') return void (data += `${line}\n`);
        smtp.mails.push(data);
        data = null;
        return say(smtp.isBroken ? '451 try again' : '250 taken');
      }
      if (/^data/i.test(line)) {
        data = '';
        return say('354 go on');
      }
      return say(/^quit/i.test(line) ? '221 bye' : '250 ok');
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\r\n');
      rest = lines.pop() ?? '';
      lines.forEach(hear);
    });
    socket.on('error', () => undefined);
    say('220 ready');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  smtp.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return smtp;
}

/** Signed up in the academy and waiting for a code. */
async function waiting(world: World, emailAddress: string) {
  const visitor = world.visitor();
  const created = (await visitor.signUp({ emailAddress, subtenantId: 3 })).data;
  const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
  await world.app.outbox.settle();
  return { visitor, created, sent };
}

const errorsOf = async (world: World) =>
  await world.db
    .selectFrom('outbox')
    .select(['kind', 'last_error', 'done_at', 'dead_at'])
    .execute();

describe('text messages', () => {
  const KEY = 'a webhook key of the tests';

  test.each(['fail', 'drop'] as const)(
    'an endpoint that answers "%s" and heals has each message once, by its key',
    async (mode) => {
      const endpoint = await startEndpoint();
      const world = await open({ smsWebhook: { url: endpoint.url, key: KEY } });
      endpoint.mode = mode;
      const { sent } = await waiting(world, 'sms@example.test');
      expect(sent.status).toBe(200);
      world.clock.advance(2);
      await world.app.outbox.settle();
      endpoint.mode = 'ok';
      world.clock.advance(4);
      await world.app.outbox.settle();
      world.clock.advance(60);
      await world.app.outbox.settle();

      const { received } = endpoint;
      expect(received).toHaveLength(3);
      expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(
        new Set([`otp:${sent.data?.id}:sms`]),
      );
      const { headers, body = '' } = received[2] ?? {};
      const code = await world.codeFor('sms@example.test');
      expect(JSON.parse(body)).toMatchObject({
        channel: 'sms',
        to: '+15550142290',
        text: expect.stringContaining(code),
      });
      const signature = createHmac('sha256', KEY).update(body).digest('hex');
      expect(headers?.['x-porchlight-signature']).toBe(`sha256=${signature}`);
    },
  );

  test('[R41] a code is never delivered after it has ended', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ smsWebhook: { url: endpoint.url, key: KEY } });
    endpoint.mode = 'fail';
    await waiting(world, 'late@example.test');
    expect(endpoint.received).toHaveLength(1);
    endpoint.mode = 'ok';
    world.clock.advance(121);
    await world.app.outbox.settle();
    expect(endpoint.received).toHaveLength(1);
    expect(await errorsOf(world)).toContainEqual(
      expect.objectContaining({ last_error: 'expired' }),
    );
  });

  test('an endpoint that hangs holds up nobody', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ smsWebhook: { url: endpoint.url, key: KEY } });
    endpoint.mode = 'hang';
    const visitor = world.visitor();
    const created = (await visitor.signUp({ emailAddress: 'hang@example.test' })).data;
    const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    expect(sent.status).toBe(200);
    // The mail went the other way and is there; the worker gives up on the message after five seconds.
    await world.app.outbox.settle();
    expect(await world.codeFor('hang@example.test')).toMatch(/^\d{6}$/);
    expect(await errorsOf(world)).toContainEqual(
      expect.objectContaining({ done_at: null, last_error: expect.stringMatching(/timeout/i) }),
    );
  });
});

describe('mail', () => {
  test('a server that refuses and heals has each mail once, by its Message-ID', async () => {
    const smtp = await startSmtp();
    const world = await open({ smtpUrl: smtp.url });
    smtp.isBroken = true;
    await waiting(world, 'mail@example.test');
    smtp.isBroken = false;
    world.clock.advance(2);
    await world.app.outbox.settle();
    world.clock.advance(60);
    await world.app.outbox.settle();
    expect(smtp.mails).toHaveLength(2);
    const ids = smtp.mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]);
    expect(new Set(ids).size).toBe(1);
    const [mail = ''] = smtp.mails;
    expect(mail).toMatch(/^To: mail@example\.test$/m);
    expect(mail).toMatch(/^From: Porchlight <no-reply@example\.test>$/m);
    expect(mail).toMatch(/^Subject: \d{6} is your Porchlight Academy code$/m);
    expect(mail).toContain('multipart/alternative');
  });

  test('nobody writes headers or addresses of his own into a mail', async () => {
    const smtp = await startSmtp();
    const world = await open({ smtpUrl: smtp.url });
    const visitor = world.visitor();
    for (const emailAddress of [
      'a@x.test\r\nBcc: b@x.test',
      'a@x.test, b@x.test',
      'a@x.test>',
      '"a b"@x.test',
    ]) {
      expect((await visitor.signUp({ emailAddress })).status).toBe(400);
    }
    const emailAddress = 'names@example.test';
    const lines = 'Eve\r\nBcc: thief@example.test';
    expect((await visitor.signUp({ emailAddress, firstName: lines })).status).toBe(400);
    const firstName = 'Eve <script>alert(1)</script>';
    const created = (await visitor.signUp({ emailAddress, firstName })).data;
    await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION', 3);
    await world.app.outbox.settle();
    const [mail = ''] = smtp.mails;
    expect(mail.split('\n\n')[0]).not.toMatch(/^Bcc/im);
    // Quoted-printable breaks its lines anywhere.
    const [, html = ''] = mail.replace(/=\r?\n/g, '').split('Content-Type: text/html');
    expect(html).toContain('Hello Eve');
    expect(html).not.toContain('<script');
  });
});

describe('[API-03] leads', () => {
  const CRM_KEY = 'crm-key-canary';

  test('a CRM that is down delays nobody, loses nothing, and sees one key', async () => {
    const endpoint = await startEndpoint();
    endpoint.mode = 'fail';
    const world = await open({ crm: { url: endpoint.url, key: CRM_KEY, tag: 'spring trial' } });
    const { userId } = await world
      .visitor()
      .register({ emailAddress: 'lead@example.test', subtenantId: 3 });
    await world.app.outbox.settle();
    for (let n = 0; n < 5; n += 1) {
      world.clock.advance(60 * 60);
      await world.app.outbox.settle();
    }
    endpoint.mode = 'ok';
    world.clock.advance(60 * 60);
    await world.app.outbox.settle();
    world.clock.advance(60 * 60);
    await world.app.outbox.settle();
    const { received } = endpoint;
    expect(received).toHaveLength(7);
    for (const { headers, body } of received) {
      expect(headers.authorization).toBe(`Bearer ${CRM_KEY}`);
      expect(headers['idempotency-key']).toBe(`lead:${userId}:activated`);
      expect(JSON.parse(body)).toEqual({
        email: 'lead@example.test',
        phone: '+15550142290',
        firstName: 'Rosa',
        lastName: 'Lind',
        name: 'Rosa Lind',
        tags: ['spring trial'],
      });
    }
  });

  test('[D4] the key is in no answer and in no table', async () => {
    const endpoint = await startEndpoint();
    const world = await open({ crm: { url: endpoint.url, key: CRM_KEY, tag: 'x' } });
    await world.visitor().register({ emailAddress: 'key@example.test', subtenantId: 3 });
    await world.app.outbox.settle();
    const visitor = world.visitor();
    const texts = [await world.dump(), JSON.stringify(await visitor.ok('getSettings', {}))];
    for (const text of texts) {
      expect(text).not.toContain(CRM_KEY);
      expect(text).not.toContain(endpoint.url);
    }
  });
});
