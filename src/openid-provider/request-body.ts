/** Reads request bodies that oidc-provider does not read itself. */

import { IncomingMessage } from 'node:http';

/** Security R33. */
const LIMIT_BYTES = 32 * 1024;

/** The parsed JSON object; null when it is too large, not JSON or not an object. */
export async function readJsonObject(
  req: IncomingMessage,
): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end all the same: stopping would close the connection before the response.
    if (size > LIMIT_BYTES) chunks.length = 0;
    else chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}

export function isJson(req: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '');
}

/**
 * Returns the request with its JSON body as a form: Auth0's SDKs post JSON to /oauth/token, oidc-provider takes forms
 * only (RFC 6749, 4.1.3). Members that are not plain values are left out.
 */
export async function withFormBody(req: IncomingMessage): Promise<IncomingMessage> {
  const fields = (await readJsonObject(req)) ?? {};
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' || typeof value === 'number') form.append(name, String(value));
  }
  const body = Buffer.from(form.toString());
  const copy = new IncomingMessage(req.socket);
  copy.method = req.method;
  copy.url = req.url;
  copy.headers = {
    ...req.headers,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
  };
  delete copy.headers['transfer-encoding'];
  copy.push(body);
  copy.push(null);
  copy.complete = true;
  return copy;
}
