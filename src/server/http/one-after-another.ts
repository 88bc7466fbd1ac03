import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait behind the running one of a connection. Browsers and proxies send none before its answer. */
const MOST_BEHIND = 8;

/**
 * Starts the second request of a connection when the first is answered and its answer has left the process, so that a
 * connection with many requests and no reads has only one running (decision 141). A connection with more waiting is
 * cut.
 */
export function oneAfterAnother(serve: RequestListener): RequestListener {
  const behind = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : behind.get(socket)?.shift();
        if (next) next();
        else behind.delete(socket);
      });
      serve(request, response);
    };
    const line = behind.get(socket);
    if (!line) {
      behind.set(socket, []);
      begin();
    } else if (line.length < MOST_BEHIND) line.push(begin);
    else socket.destroy();
  };
}
