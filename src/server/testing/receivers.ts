/** Providers of messages and leads as they are: well, refusing, hanging, broken, slow, and gone. Each keeps a ledger. */

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { SMTPServer } from 'smtp-server';

/** `refuse`: the port is closed. `garbage`: an answer that is none. `drip`: one byte now and then. A number: that status. */
export type Mood = 'ok' | 'refuse' | 'drop' | 'hang' | 'garbage' | 'drip' | number;

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether it was answered with success. */
  readonly isTaken: boolean;
};

export type HttpReceiver = {
  readonly url: string;
  readonly received: Received[];
  setMood(mood: Mood): Promise<void>;
  /** Called with each request; may hold it up. */
  watch(watcher: Watcher): void;
  /** The bodies of a success and a refusal. */
  answer(body: (status: number) => unknown): void;
  close(): Promise<void>;
};

/** `begun`: its head has come; `whole`: all of it, and nothing was answered; `answered`: the answer is out. */
export type Stage = 'begun' | 'whole' | 'answered';
export type Watcher = (stage: Stage) => Promise<void> | void;

const DRIP_MS = 200;

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const received: Received[] = [];
  let mood: Mood = 'ok';
  let bodyOf: (status: number) => unknown = () => ({});
  let watcher: Watcher = () => undefined;
  const http = createHttpServer((request, response) => {
    let body = '';
    void watcher('begun');
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const now = mood;
      const entry = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        isTaken: now === 'ok',
      };
      received.push(entry);
      void Promise.resolve(watcher('whole')).then(() => {
        const { socket } = request;
        if (now === 'drop') socket.destroy();
        else if (now === 'garbage') socket.end('what is this?\r\n\r\n');
        else if (now === 'drip') drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else if (now !== 'hang') {
          const status = now === 'ok' ? 201 : Number(now);
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(bodyOf(status)), () => void watcher('answered'));
        }
      });
    });
  });
  const door = await openDoor(http);
  return {
    url: `http://127.0.0.1:${door.port}`,
    received,
    async setMood(next) {
      mood = next;
      await door.set(next !== 'refuse');
    },
    watch: (next) => void (watcher = next),
    answer: (next) => void (bodyOf = next),
    close: door.close,
  };
}

export type MailReceiver = {
  readonly url: string;
  /** Every mail that was taken, whole. */
  readonly mails: string[];
  readonly envelopes: { readonly from: string; readonly to: readonly string[] }[];
  /** Message-IDs of every try that came as far as its content. */
  readonly tries: string[];
  setMood(mood: Mood): Promise<void>;
  /** The answer to a recipient that refuses the mail. */
  refuseRecipients(answer: { readonly code: number; readonly text: string } | null): void;
  watch(watcher: Watcher): void;
  close(): Promise<void>;
};

/** With a login, which it then refuses to everybody. */
type MailOptions = { readonly hasLogin?: boolean };

/** A real SMTP server; moods of the network are played before it sees the connection. */
export async function startMailReceiver({
  hasLogin = false,
}: MailOptions = {}): Promise<MailReceiver> {
  const mails: string[] = [];
  const envelopes: { from: string; to: string[] }[] = [];
  const tries: string[] = [];
  let mood: Mood = 'ok';
  let watcher: Watcher = () => undefined;
  let refusal: { readonly code: number; readonly text: string } | null = null;
  const failure = (code: number, text: string) =>
    Object.assign(new Error(text), { responseCode: code });
  const smtp = new SMTPServer({
    authOptional: !hasLogin,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(failure(535, 'who are you?')),
    disableReverseLookup: true,
    closeTimeout: 100,
    disabledCommands: hasLogin ? ['STARTTLS'] : ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      void watcher('begun');
      done(refusal ? failure(refusal.code, refusal.text) : null);
    },
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
      stream.on('end', () => {
        tries.push(/^Message-ID: (.*)$/im.exec(text)?.[1]?.trim() ?? '');
        if (typeof mood === 'number') return done(failure(mood, 'not now'));
        if (mood !== 'ok') return undefined;
        mails.push(text.replaceAll('\r\n', '\n'));
        const { mailFrom, rcptTo } = session.envelope;
        envelopes.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
        });
        return void answerMail(done);
      });
    },
  });
  async function answerMail(done: () => void): Promise<void> {
    await watcher('whole');
    done();
    await watcher('answered');
  }
  smtp.on('error', () => undefined);
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    if (mood === 'drop') socket.destroy();
    else if (mood === 'garbage') socket.end('what is this?\r\n');
    else if (mood === 'drip') drip(socket, '220 ready when you are, sooner or later\r\n');
    else if (mood !== 'hang') smtp.server.emit('connection', socket);
  });
  const door = await openDoor(tcp);
  return {
    url: `smtp://127.0.0.1:${door.port}`,
    mails,
    envelopes,
    tries,
    async setMood(next) {
      mood = next;
      // A pool keeps its connections: a refusing receiver closes all of them.
      door.dropAll();
      await door.set(next !== 'refuse');
    },
    watch: (next) => void (watcher = next),
    refuseRecipients: (answer) => void (refusal = answer),
    close: door.close,
  };
}

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length && !socket.destroyed) socket.write(text[at] ?? '');
    else clearInterval(timer);
    at += 1;
  }, DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

/** A port that can be shut, and opened again as the same. */
async function openDoor(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
  });
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const shut = async () => {
    const closed = once(server, 'close');
    server.close();
    dropAll();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    dropAll,
    async set(isOpen: boolean) {
      if (isOpen === server.listening) return;
      await (isOpen ? listen(port) : shut());
    },
    async close() {
      if (server.listening) await shut();
    },
  };
}
