import { request } from 'node:http';
import { arrayBuffer } from 'node:stream/consumers';

const WITHOUT_BODY = [204, 304];

/** Sends a request from `address` of this machine, on a connection of its own, as `fetch` does without redirects. */
export function fetchFrom(address: string, url: URL, init: RequestInit): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers));
  const sent = request(url, {
    agent: false,
    family: 4,
    localAddress: address,
    method: init.method ?? 'GET',
    headers,
  });
  return new Promise((resolve, reject) => {
    sent.once('error', reject).once('response', (answer) => {
      const status = answer.statusCode ?? 0;
      const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const whole = (body: ArrayBuffer) =>
        new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers: pairs });
      arrayBuffer(answer).then((body) => resolve(whole(body)), reject);
    });
    sent.end(init.body);
  });
}
