import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { addressText, hasNoCredentials } from './credentials.ts';
import { file, list, number, secret, setting, type ValuesOf } from './setting.ts';

export type MailConfig = NonNullable<ReturnType<typeof mailConfig>>;
export type TwilioConfig = Omit<NonNullable<ReturnType<typeof twilioConfig>>, 'deliveryReportsUrl'>;

export type WebhookConfig = { readonly url: string; readonly key: string };

/** `from`: the number that calls; `callbackUrl`: where Twilio asks what to say. */
export type TwilioVoiceConfig = { readonly from: string; readonly callbackUrl: string };

export type VoiceConfig =
  | ({ readonly by: 'twilio' } & TwilioVoiceConfig)
  | ({ readonly by: 'webhook' } & WebhookConfig);

/** Where Twilio reports, below the public address. */
export const TWILIO_REPORTS_PATH = '/api/Messaging/Receipts/Twilio';

/** Where Twilio asks what a call says. */
export const TWILIO_CALLS_PATH = '/api/Messaging/Voice/Twilio';

const KEY_LENGTH = 16;
/** Bytes. */
const EVENTS_KEY = { least: 24, most: 64 };
const PROVIDER_TIMEOUT_MS: number = 5000;
/** Without enabled countries and without a setting. */
const HOME = 'US';
export const PRODUCTION_SMS_COUNTRIES: readonly string[] = [HOME];
const countryList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  );
/** Codes, names and keys go there: in the clear to this machine only. */
const httpUrl = addressText
  .check(z.url({ protocol: /^https?$/, abort: true }))
  .refine(
    (url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname),
    'must be https, except on this machine',
  )
  // `fetch` refuses such an address.
  .refine(hasNoCredentials, 'takes no user name');
const MAIL_SERVER = /^smtps?:\/\/(?:[^@/?#]*@)?[^@/?#]+\/?$/i;
const dkimName = z
  .string()
  .regex(/^[\w.-]+$/)
  .optional();
const phoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number like +15550100199');

/** Their rows in the table of settings. */
export const deliverySettings = {
  SMTP_URL: setting(
    'mail.url',
    addressText
      .check(z.url({ protocol: /^smtps?$/, abort: true }))
      .refine(
        (url) => MAIL_SERVER.test(url),
        'takes a server and its port, and nothing behind them',
      )
      .optional(),
  ),
  MAIL_FROM: setting(
    'mail.from',
    z
      .string()
      .regex(/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/, 'must be one address')
      .default('Porchlight <no-reply@localhost>'),
  ),
  MAIL_ENVELOPE_FROM: setting('mail.envelopeFrom', z.email().optional()),
  MAIL_DKIM_DOMAIN: setting('mail.dkim.domain', dkimName),
  MAIL_DKIM_SELECTOR: setting('mail.dkim.selector', dkimName),
  MAIL_DKIM_KEY_FILE: file(
    'mail.dkim.keyFile',
    z.string().refine(isPrivateKeyFile, 'is no readable private key').optional(),
  ),
  SMS_WEBHOOK_URL: setting('sms.webhook.url', httpUrl.optional()),
  SMS_WEBHOOK_KEY: secret('sms.webhook.key', z.string().min(KEY_LENGTH).optional()),
  TWILIO_ACCOUNT_SID: setting(
    'sms.twilio.accountSid',
    z
      .string()
      .regex(/^[Aa][Cc][\da-fA-F]{32}$/, 'must be AC and 32 hex digits')
      .optional(),
  ),
  TWILIO_AUTH_TOKEN: secret('sms.twilio.authToken', z.string().min(KEY_LENGTH).optional()),
  TWILIO_FROM: setting(
    'sms.twilio.from',
    z
      .union([phoneNumber, z.string().regex(/^[Mm][Gg][\da-fA-F]{32}$/)], {
        error: 'must be a number like +15550100199, or a messaging service MG…',
      })
      .optional(),
  ),
  TWILIO_API_URL: setting('sms.twilio.apiUrl', httpUrl.default('https://api.twilio.com')),
  TWILIO_WHATSAPP_FROM: setting('whatsApp.from', phoneNumber.optional()),
  TWILIO_WHATSAPP_CONTENT_SID: setting(
    'whatsApp.contentSid',
    z
      .string()
      .regex(/^[Hh][Xx][\da-fA-F]{32}$/)
      .optional(),
  ),
  SMS_COUNTRIES: list('sms.countries', countryList),
  SMS_DAILY_LIMIT: number('sms.dailyLimit', z.coerce.number().int().min(1).default(5000)),
  TWILIO_VOICE_FROM: setting('voice.from', phoneNumber.optional()),
  VOICE_WEBHOOK_URL: setting('voice.webhook.url', httpUrl.optional()),
  VOICE_WEBHOOK_KEY: secret('voice.webhook.key', z.string().min(KEY_LENGTH).optional()),
  VOICE_COUNTRIES: list('voice.countries', countryList),
  VOICE_DAILY_LIMIT: number('voice.dailyLimit', z.coerce.number().int().min(1).default(300)),
  RECEIPTS_KEY: secret('receipts.key', z.string().min(KEY_LENGTH).optional()),
  CRM_URL: setting('crm.url', httpUrl.optional()),
  CRM_KEY: secret('crm.key', z.string().min(1).optional()),
  CRM_TAG: setting('crm.tag', z.string().default('free academy user')),
  PORCHLIGHT_EVENTS_URL: setting('events.url', httpUrl.optional()),
  PORCHLIGHT_EVENTS_SECRET: secret(
    'events.secret',
    z
      .string()
      .refine(isEventsSecret, 'must be whsec_ and 24 to 64 random bytes in base64')
      .optional(),
  ),
};

type Values = ValuesOf<typeof deliverySettings>;
type Around = {
  readonly isProduction: boolean;
  readonly publicUrl: string;
  /** Where people may register from; empty: everywhere. */
  readonly countries: readonly string[];
};

/** Takes the settings apart: how messages and leads leave the house. They have no faults any more. */
export function deliveryConfig(values: Values, around: Around) {
  const { SMS_WEBHOOK_URL, SMS_WEBHOOK_KEY, CRM_URL, CRM_KEY } = values;
  const { PORCHLIGHT_EVENTS_URL: eventsUrl, PORCHLIGHT_EVENTS_SECRET: eventsSecret } = values;
  return {
    mail: mailConfig(values),
    twilio: twilioConfig(values, around.publicUrl),
    smsWebhook:
      SMS_WEBHOOK_URL && SMS_WEBHOOK_KEY ? { url: SMS_WEBHOOK_URL, key: SMS_WEBHOOK_KEY } : null,
    /** What receipts of the webhook, and of returned mail, are signed with. */
    deliveryReportsKey: values.RECEIPTS_KEY ?? null,
    /** ISO 3166 codes of the countries that texts go to; empty: all. */
    smsCountries: smsCountries(values, around),
    /** Texts a day, in all. */
    smsDailyLimit: values.SMS_DAILY_LIMIT,
    /** `null`: no calls, or those of a demo's inbox. */
    voice: voiceConfig(values, around.publicUrl),
    /** ISO 3166 codes of the regions that are called; empty: all, in a demo's inbox alone. */
    voiceCountries: voiceCountries(values, around),
    /** Calls a day, in all. */
    voiceDailyLimit: values.VOICE_DAILY_LIMIT,
    /** Where events of accounts are posted, and the key they are signed with. */
    events: eventsUrl && eventsSecret ? { url: eventsUrl, secret: eventsSecret } : null,
    crm: CRM_URL && CRM_KEY ? { url: CRM_URL, key: CRM_KEY, tag: values.CRM_TAG } : null,
    /** For a whole answer of a provider, and for each step of a mail: a whole mail has three times as long (R34). */
    providerTimeoutMs: PROVIDER_TIMEOUT_MS,
  };
}

function mailConfig(values: Values) {
  const { SMTP_URL: url, MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector } = values;
  const keyFile = values.MAIL_DKIM_KEY_FILE;
  if (!url) return null;
  return {
    url,
    from: values.MAIL_FROM,
    /** The address for returned mail; `null`: the sender. */
    envelopeFrom: values.MAIL_ENVELOPE_FROM ?? null,
    dkim:
      domain && selector && keyFile
        ? { domain, selector, privateKey: readFileSync(keyFile, 'utf8') }
        : null,
  };
}

function twilioConfig(values: Values, publicUrl: string) {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = values;
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN || !TWILIO_FROM) return null;
  return {
    apiUrl: values.TWILIO_API_URL.replace(/\/+$/, ''),
    accountSid: TWILIO_ACCOUNT_SID,
    authToken: TWILIO_AUTH_TOKEN,
    /** A number, or a messaging service (MG…) that picks one. */
    from: TWILIO_FROM,
    /** A number that may send WhatsApp messages. */
    whatsAppFrom: values.TWILIO_WHATSAPP_FROM ?? null,
    /** The approved template that a code needs on WhatsApp; `{{1}}` is the code. */
    whatsAppContentSid: values.TWILIO_WHATSAPP_CONTENT_SID ?? null,
    // A provider cannot call back to this machine's own name.
    deliveryReportsUrl: publicUrl.startsWith('https://')
      ? `${publicUrl}${TWILIO_REPORTS_PATH}`
      : null,
  };
}

function voiceConfig(values: Values, publicUrl: string): VoiceConfig | null {
  const { TWILIO_VOICE_FROM: from, VOICE_WEBHOOK_URL: url, VOICE_WEBHOOK_KEY: key } = values;
  if (from) return { by: 'twilio', from, callbackUrl: `${publicUrl}${TWILIO_CALLS_PATH}` };
  return url && key ? { by: 'webhook', url, key } : null;
}

/** Calls go to the operator's own country unless more are named; a demo's inbox costs nothing. */
function voiceCountries(values: Values, around: Around): readonly string[] {
  const { VOICE_COUNTRIES: named } = values;
  if (named.length > 0) return named;
  if (!around.isProduction && voiceConfig(values, around.publicUrl) === null) return [];
  return [smsCountries(values, around)[0] ?? HOME];
}

/** A text abroad can cost a hundred times one at home: what was not asked for is off (security R15). */
function smsCountries({ SMS_COUNTRIES }: Values, { isProduction, countries }: Around) {
  if (SMS_COUNTRIES.length > 0) return SMS_COUNTRIES;
  if (countries.length > 0) return countries;
  return isProduction ? PRODUCTION_SMS_COUNTRIES : [];
}

/** As Standard Webhooks writes a key. */
function isEventsSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= EVENTS_KEY.least && length <= EVENTS_KEY.most;
}

function isPrivateKeyFile(path: string): boolean {
  try {
    createPrivateKey(readFileSync(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
