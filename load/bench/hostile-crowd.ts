// One address that wants all of the server, in a thread of its own: it must not slow down the measuring one.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export type Kind = 'pipelined' | 'kept' | 'unread' | 'calls' | 'leaving';

const { port, kind, connections } = workerData as {
  port: number;
  kind: Kind;
  connections: number;
};
/** Another network than those who are measured. */
const ADDRESS = '127.0.0.66';
const PIPELINED = 300;
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: login.example.org\r\n\r\n`;
const PAGE = get('/account/signup');

let isOver = false;
const sockets = new Set<Socket>();

/** One connection after another, for as long as it lasts; `use` says what is done on it. */
async function keep(use: (socket: Socket) => void): Promise<void> {
  while (!isOver) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ADDRESS });
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('connect', () => use(socket));
    await new Promise((resolve) => socket.once('close', resolve));
    sockets.delete(socket);
    // Else a refused connection would be a loop of this process alone.
    await sleep(2);
  }
}

/** Asks again as soon as an answer has come. */
function askAgain(socket: Socket, request: string): void {
  let heard = '';
  socket.write(request);
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
    const head = heard.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? Number.NaN);
    const isWhole = Number.isNaN(length)
      ? heard.endsWith('0\r\n\r\n')
      : heard.length >= head + 4 + length;
    if (head < 0 || !isWhole) return;
    const isClosing = /^connection: close/im.test(heard.slice(0, head));
    heard = '';
    if (!isClosing) socket.write(request);
  });
}

const USES: Readonly<Record<Kind, (socket: Socket) => void>> = {
  pipelined: (socket) => void socket.pause().write(PAGE.repeat(PIPELINED)),
  unread(socket) {
    socket.pause();
    const timer = setInterval(() => void socket.write(PAGE), 50);
    socket.once('close', () => clearInterval(timer));
  },
  kept: (socket) => askAgain(socket, PAGE),
  calls: (socket) => askAgain(socket, get('/api/Visit/State')),
  leaving: (socket) => void socket.write(PAGE, () => socket.resetAndDestroy()),
};

parentPort?.once('message', () => {
  isOver = true;
  for (const socket of sockets) socket.destroy();
});
await Promise.all(Array.from({ length: connections }, () => keep(USES[kind])));
parentPort?.postMessage('gone');
