/** Reads request bodies that oidc-provider does not read itself. */

import { IncomingMessage } from 'node:http';
import { parseStrictJson } from '#domain/text/strict-json.ts';

/** Security R33. */
const LIMIT_BYTES = 32 * 1024;
/** Of a body without a declared length, which is read on so that its client can read the answer. */
const READ_BYTES = 1024 * 1024;

/** A body that is too large, not a JSON object, or ambiguous for two parsers. */
export class UnreadableBody extends Error {}

/** Returns the body as text; `null` for one that is too large, of which the rest stays unread. */
async function readText(req: IncomingMessage): Promise<string | null> {
  if (Number(req.headers['content-length'] ?? 0) > LIMIT_BYTES) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays for the answer.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMIT_BYTES) chunks.length = 0;
    else chunks.push(chunk);
    if (size > READ_BYTES) break;
  }
  return size > LIMIT_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

/**
 * Returns the fields of a posted form.
 * @throws UnreadableBody
 */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const text = await readText(req);
  if (text === null) throw new UnreadableBody();
  return new URLSearchParams(text);
}

/**
 * Returns the JSON object of a request.
 * @throws UnreadableBody
 */
export async function readJsonObject(req: IncomingMessage): Promise<Record<string, unknown>> {
  try {
    const value = parseStrictJson((await readText(req)) ?? '');
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value };
  } catch {
    // Thrown below.
  }
  throw new UnreadableBody();
}

/** Returns whether the body is a form. */
export function isForm(req: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '');
}

/** Returns whether the body is JSON. */
export function isJson(req: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '');
}

/**
 * Returns the request with its JSON body as a form: Auth0's SDKs post JSON to /oauth/token, oidc-provider accepts only
 * forms (RFC 6749, 4.1.3). Members that are not plain values are left out; an unreadable body becomes an empty form.
 */
export async function withFormBody(req: IncomingMessage): Promise<IncomingMessage> {
  const fields = await readJsonObject(req).catch(() => ({}));
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
