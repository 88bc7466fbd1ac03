import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { fill } from '#locales/fill.ts';
import type { Config } from '#server/config/config.ts';
import { createSmtpDriver, greetMailServer } from '#server/notifications/drivers/smtp.ts';
import { bad, type Finding, good } from '#server/core/finding.ts';
import { isServing, answerStatus } from '#server/hand-off/module-check.ts';
import { DAY_MS } from '#domain/text/duration.ts';

const NETWORK_MS = 5000;

const CERTIFICATE_DAYS = 14;

export async function lookAtMail(config: Config, to: string | null): Promise<readonly Finding[]> {
  const { mail, publicUrl, providerTimeoutMs: timeoutMs } = config;
  if (!mail) return [bad('warning', 'mail', 'noMail')];
  if (to === null) {
    return greetMailServer(mail, timeoutMs).then(
      () => [good('mail', new URL(mail.url).username ? texts.mailLogin : texts.mailNoLogin)],
      (error: Error) => [bad('fault', 'mail', 'mailAway', { reason: error.message })],
    );
  }
  const driver = createSmtpDriver(mail, { host: new URL(publicUrl).hostname, timeoutMs });
  const text = fill(texts.mailText, { url: publicUrl });
  const id = randomUUID();
  const message = { to, subject: texts.mailSubject, text, html: null, code: null, link: null };
  try {
    await driver.send({
      message: { ...message, channel: 'email' },
      id,
      idempotencyKey: id,
      validForMs: null,
    });
    return [good('mail', texts.mail, { to })];
  } catch (error) {
    return [bad('fault', 'mail', 'mailFailed', { reason: (error as Error).message })];
  } finally {
    driver.close?.();
  }
}

/** The addresses that the server calls, with the settings that name them. */
const calledBy = ({ twilio, smsWebhook, voice, crm, events }: Config) =>
  [
    ['texts', 'TWILIO_API_URL', twilio?.apiUrl],
    ['texts', 'SMS_WEBHOOK_URL', smsWebhook?.url],
    ['calls', 'VOICE_WEBHOOK_URL', voice?.by === 'webhook' ? voice.url : undefined],
    ['leads', 'CRM_URL', crm?.url],
    ['events', 'PORCHLIGHT_EVENTS_URL', events?.url],
  ] as const;

/** Whether the servers behind texts, calls, leads and events answer. HEAD sends them nothing. */
export async function lookAtProviders(config: Config): Promise<readonly Finding[]> {
  const { crm, leadDays: days, voice, voiceCountries } = config;
  const called = calledBy(config).map(async ([check, name, url]) => {
    if (url === undefined) return [];
    const status = await answerStatus(url, { method: 'HEAD' });
    const { host } = new URL(url);
    return isServing(status)
      ? [good(check, texts.provider, { host, name })]
      : [bad('fault', check, 'providerAway', { host, name, reason: status ?? texts.noAnswer })];
  });
  return [
    ...(await Promise.all(called)).flat(),
    ...(crm ? [] : [bad('warning', 'leads', 'noLeads', { days })]),
    ...(voice
      ? [good('calls', texts.calls, { by: voice.by, regions: voiceCountries.join(', ') })]
      : []),
  ];
}

/** As visitors come: by name, through whatever stands in front. */
export async function lookFromOutside({ publicUrl, tenant }: Config): Promise<readonly Finding[]> {
  const url = new URL(publicUrl);
  const seen = [
    await lookAtAddress(publicUrl, tenant !== null),
    ...(await lookAtClient(publicUrl)),
  ];
  return url.protocol === 'https:' ? [...seen, ...(await lookAtCertificate(url))] : seen;
}

async function lookAtAddress(url: string, isElsewhere: boolean): Promise<Finding> {
  const path = isElsewhere ? '/api/health/live' : '/idp/.well-known/openid-configuration';
  const refused = (reason: string) => bad('fault', 'publicUrl', 'notReached', { url, reason });
  try {
    const signal = AbortSignal.timeout(NETWORK_MS);
    const response = await fetch(`${url}${path}`, { signal, redirect: 'error' });
    if (!response.ok) return refused(String(response.status));
    const { issuer } = (await response.json()) as { issuer?: unknown };
    if (!isElsewhere && issuer !== `${url}/idp/`) {
      return refused(fill(texts.otherIssuer, { issuer: String(issuer) }));
    }
    return good('publicUrl', texts.reached, { url });
  } catch (error) {
    const { message, cause } = error as Error;
    return refused(cause instanceof Error ? cause.message : message);
  }
}

/** Returns the address from which our own request arrived; nothing when the installation is not reached. */
async function lookAtClient(url: string): Promise<readonly Finding[]> {
  try {
    const signal = AbortSignal.timeout(NETWORK_MS);
    const response = await fetch(`${url}/api/health/address`, { signal, redirect: 'error' });
    const { address } = (await response.json()) as { address?: unknown };
    return isIP(String(address)) === 0
      ? []
      : [good('client', texts.client, { address: String(address) })];
  } catch {
    return [];
  }
}

async function lookAtCertificate({ hostname, port }: URL): Promise<readonly Finding[]> {
  const ends = await new Promise<string | null>((resolve) => {
    const socket = connect({
      host: hostname,
      port: Number(port) || 443,
      servername: hostname,
      // Whether it is trusted is told by the request before; here it is looked at.
      rejectUnauthorized: false,
      timeout: NETWORK_MS,
    });
    const end = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => end(socket.getPeerCertificate().valid_to));
    socket.once('error', () => end(null));
    socket.once('timeout', () => end(null));
  });
  return ends === null ? [] : [judgeCertificate(hostname, new Date(ends), new Date())];
}

/** Judges the expiry of a certificate: expired is a fault, soon a warning. */
export function judgeCertificate(host: string, ends: Date, now: Date): Finding {
  const days = (ends.getTime() - now.getTime()) / DAY_MS;
  const values = { host, until: ends.toISOString().slice(0, 10) };
  if (days > CERTIFICATE_DAYS) return good('certificate', texts.certificate, values);
  return bad(days > 0 ? 'warning' : 'fault', 'certificate', 'certificateEnds', values);
}
