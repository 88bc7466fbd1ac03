import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may stand behind the one under way on a connection. Browsers and proxies send none before its answer. */
const MOST_BEHIND = 8;

/**
 * Begins the second request of a connection when the first is answered and its answer has left the process: a connection
 * on which much is asked and nothing is read has one request under way (decision 141). One with more than a few behind is cut.
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
