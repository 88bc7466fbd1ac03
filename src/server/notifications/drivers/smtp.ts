import type { DeliveryReason } from '#domain/proofs/delivery.ts';
import { readFile } from 'node:fs/promises';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { mailAddress } from '#domain/typed/validation.ts';
import type { MailConfig } from '../../config/delivery-config.ts';
import { TransientError, PermanentError } from '../../jobs/errors.ts';
import { PORCH } from '../porch.ts';
import type { Driver } from './driver.ts';

/** The whole mail may take this many times as long as one step, because a server may answer slowly. */
const STEPS = 3;
const CONNECTIONS = 5;

/** Creates the driver for SMTP: a pool of connections, encrypted unless the server is this machine. */
export function createSmtpDriver(
  config: MailConfig,
  { host, timeoutMs }: { readonly host: string; readonly timeoutMs: number },
): Driver {
  const { envelopeFrom } = config;
  const options = transportOptions(config, timeoutMs);
  const open = async () => {
    // Loaded late: it takes a megabyte of memory, which only the first mail needs.
    const { createTransport } = await import('nodemailer');
    return createTransport(options);
  };
  let transport: ReturnType<typeof open> | undefined;
  const longestMs = STEPS * timeoutMs;
  return {
    provider: 'smtp',
    hasDeliveryReports: false,
    async send(outgoing) {
      const { message } = outgoing;
      const address = mailAddress(message.to);
      refuseLines(address, message.subject);
      const mail = {
        from: config.from,
        to: { name: '', address },
        subject: message.subject,
        text: message.text,
        ...(message.html && { html: message.html, attachments: await picturesOf(message.html) }),
        ...(envelopeFrom && { envelope: { from: envelopeFrom, to: [address] } }),
        // Mailboxes show two mails with one Message-ID once.
        messageId: `<${outgoing.id}@${host}>`,
        // Suppresses automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        // A cancelled mail also leaves the pool's own queue, so that none is sent after its expiry.
        signal: AbortSignal.timeout(Math.min(longestMs, outgoing.validForMs ?? longestMs)),
      };
      try {
        await (await (transport ??= open())).sendMail(mail);
      } catch (error) {
        throw refusal(error as SmtpError, `${options.host}:${options.port}`);
      }
      return { providerId: null };
    },
    close: () => void transport?.then((opened) => opened.close()),
  };
}

/**
 * Connects to the mail server as a first mail would: name, encryption and login; sends nothing.
 * @throws TransientError with the server's answer
 */
export async function greetMailServer(config: MailConfig, timeoutMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const options = transportOptions(config, timeoutMs);
  const transport = createTransport({ ...options, pool: false });
  try {
    await transport.verify();
  } catch (error) {
    throw refusal(error as SmtpError, `${options.host}:${options.port}`);
  } finally {
    transport.close();
  }
}

/** Returns the embedded pictures of the HTML. */
async function picturesOf(html: string) {
  if (!html.includes(`cid:${PORCH.cid}`)) return [];
  porch ??= await readFile(PORCH.file);
  const { cid } = PORCH;
  return [{ cid, content: porch, contentType: 'image/png', contentDisposition: 'inline' as const }];
}
let porch: Buffer | undefined;

function transportOptions({ url, dkim }: MailConfig, stepMs: number) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  return {
    pool: true as const,
    maxConnections: CONNECTIONS,
    // For a connection that the server closed while it was idle; the outbox makes all other retries.
    maxRequeues: 1,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // Without it a man in the middle can strip STARTTLS and read the mails.
    requireTLS: !isSecure && !isThisMachine(hostname),
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
      },
    }),
  };
}

/** Mail servers on this machine also listen on other addresses of its loopback network. */
function isThisMachine(hostname: string): boolean {
  return isLoopbackHost(hostname) || /^127(\.\d+){3}$/.test(hostname);
}

/** Refuses an address or subject that could inject a header or a second address. */
function refuseLines(to: string, subject: string): void {
  const isOneAddress = /^[^\s<>,;:"()[\]\\]+@[^\s<>,;:"()[\]\\@]+$/.test(to);
  // oxlint-disable-next-line no-control-regex -- these very characters
  const isOneLine = !/[\u0000-\u001f\u007f\u2028\u2029]/.test(subject);
  if (!isOneAddress || !isOneLine) throw new PermanentError('invalid', 'No address, or no subject');
}

type SmtpError = Error & {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
};

/** 5xx is permanent, 4xx may pass (RFC 5321, 4.2.1); a refused login concerns us, not the mail. */
function refusal(error: SmtpError, server: string): Error {
  const { responseCode, response = '', command = '' } = error;
  if (responseCode === undefined) {
    return new TransientError(`The mail server ${server} does not answer (${smtpCause(error)})`);
  }
  const status = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const text = `The mail server answered ${[responseCode, status].filter(Boolean).join(' ')}`;
  const isRecipientOnly = command.startsWith('RCPT') || (command === 'DATA' && responseCode >= 500);
  if (responseCode >= 500 && isRecipientOnly)
    return new PermanentError(reasonOf(status, response), text);
  return new TransientError(text, { isRecipientOnly });
}

/** Connection errors as text. The library's own code is ESOCKET for nearly all of them. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'connection refused'],
  [/ENOTFOUND|EAI_AGAIN|EDNS/, 'its name is not found'],
  [/EHOSTUNREACH|ENETUNREACH/, 'no route to it'],
  [/ETIMEDOUT|timeout|aborted/i, 'no answer in time'],
  [/certificate|self.signed|ERR_TLS/i, 'its certificate is not trusted'],
  [/ECONNRESET|closed/i, 'it closed the connection'],
];

const smtpCause = ({ code = 'unknown', message }: SmtpError): string =>
  CAUSES.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1] ?? code;

/** Maps the enhanced status (RFC 3463): 5.1 the address, 5.2 the mailbox, 5.7 a policy. */
function reasonOf(status: string | undefined, response: string): DeliveryReason {
  if (/suppress|bounce list|blacklisted recipient/i.test(response)) return 'suppressed';
  if (status?.startsWith('5.7.')) return 'blocked';
  if (status?.startsWith('5.2.')) return 'unreachable';
  return 'invalid';
}
