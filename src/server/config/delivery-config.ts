import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isLoopbackHost } from '#domain/loopback.ts';

export type MailConfig = {
  readonly url: string;
  readonly from: string;
  /** Who is told when a mail comes back; `null`: the sender. */
  readonly envelopeFrom: string | null;
  readonly dkim: {
    readonly domain: string;
    readonly selector: string;
    readonly privateKey: string;
  } | null;
};

export type TwilioConfig = {
  readonly apiUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** A number, or a messaging service (MG…) that picks one. */
  readonly from: string;
  /** A number that may send WhatsApp messages. */
  readonly whatsAppFrom: string | null;
  /** The approved template that a code needs on WhatsApp; `{{1}}` is the code. */
  readonly whatsAppContentSid: string | null;
};

export type WebhookConfig = { readonly url: string; readonly key: string };

/** How messages and leads leave the house. */
export type DeliveryConfig = {
  readonly mail: MailConfig | null;
  readonly twilio: (TwilioConfig & { readonly deliveryReportsUrl: string | null }) | null;
  readonly smsWebhook: WebhookConfig | null;
  /** What receipts of the webhook, and of returned mail, are signed with. */
  readonly deliveryReportsKey: string | null;
  /** ISO 3166 codes of the countries that texts go to; empty: all. */
  readonly smsCountries: readonly string[];
  /** Texts a day, in all. */
  readonly smsDailyLimit: number;
  readonly crm: { readonly url: string; readonly key: string; readonly tag: string } | null;
  /** Where events of accounts are posted, and the key they are signed with. */
  readonly events: { readonly url: string; readonly secret: string } | null;
  /** For a whole answer of a provider, and for each step of a mail; a whole mail has three times as long (security R34). */
  readonly providerTimeoutMs: number;
};

/** Where Twilio reports, below the public address. */
export const TWILIO_REPORTS_PATH = '/api/Messaging/Receipts/Twilio';

const KEY_LENGTH = 16;
/** Bytes. */
const EVENTS_KEY = { least: 24, most: 64 };
const PROVIDER_TIMEOUT_MS = 5000;
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
const httpUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith('https:') || isLoopbackHost(new URL(url).hostname),
    'must be https, except on this machine',
  );
const phoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number like +15550100199');

/** Their rows in the environment. */
export const deliveryEnvironment = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .refine((url) => !/[?#]/.test(url), 'takes no settings behind a question mark')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/, 'must be one address')
    .default('Porchlight <no-reply@localhost>'),
  MAIL_ENVELOPE_FROM: z.email().optional(),
  MAIL_DKIM_DOMAIN: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  MAIL_DKIM_KEY_FILE: z.string().refine(isPrivateKeyFile, 'is no readable private key').optional(),
  SMS_WEBHOOK_URL: httpUrl.optional(),
  SMS_WEBHOOK_KEY: z.string().min(KEY_LENGTH).optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'must be AC and 32 hex digits')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(KEY_LENGTH).optional(),
  TWILIO_FROM: z
    .union([phoneNumber, z.string().regex(/^MG[0-9a-f]{32}$/i)], {
      error: 'must be a number like +15550100199, or a messaging service MG…',
    })
    .optional(),
  TWILIO_WHATSAPP_FROM: phoneNumber.optional(),
  TWILIO_WHATSAPP_CONTENT_SID: z
    .string()
    .regex(/^HX[0-9a-f]{32}$/i)
    .optional(),
  TWILIO_API_URL: httpUrl.default('https://api.twilio.com'),
  RECEIPTS_KEY: z.string().min(KEY_LENGTH).optional(),
  SMS_COUNTRIES: countryList,
  SMS_DAILY_LIMIT: z.coerce.number().int().min(1).default(5000),
  CRM_URL: httpUrl.optional(),
  CRM_KEY: z.string().min(1).optional(),
  PORCHLIGHT_EVENTS_URL: httpUrl
    .refine((url) => !new URL(url).username, 'takes no user name: events are signed')
    .optional(),
  PORCHLIGHT_EVENTS_SECRET: z
    .string()
    .refine(isEventsSecret, 'must be whsec_ and 24 to 64 random bytes in base64')
    .optional(),
  CRM_TAG: z.string().default('free academy user'),
};

type Values = z.infer<z.ZodObject<typeof deliveryEnvironment>>;
type Around = {
  readonly isProduction: boolean;
  readonly publicUrl: string;
  /** Where people may register from; empty: everywhere. */
  readonly countries: readonly string[];
};

/** Takes the settings apart. They have no faults any more. */
export function deliveryConfig(values: Values, around: Around): DeliveryConfig {
  const { SMS_WEBHOOK_URL, SMS_WEBHOOK_KEY, CRM_URL, CRM_KEY } = values;
  const { PORCHLIGHT_EVENTS_URL: eventsUrl, PORCHLIGHT_EVENTS_SECRET: eventsSecret } = values;
  return {
    mail: mailConfig(values),
    twilio: twilioConfig(values, around.publicUrl),
    smsWebhook:
      SMS_WEBHOOK_URL && SMS_WEBHOOK_KEY ? { url: SMS_WEBHOOK_URL, key: SMS_WEBHOOK_KEY } : null,
    deliveryReportsKey: values.RECEIPTS_KEY ?? null,
    smsCountries: smsCountries(values, around),
    smsDailyLimit: values.SMS_DAILY_LIMIT,
    events: eventsUrl && eventsSecret ? { url: eventsUrl, secret: eventsSecret } : null,
    crm: CRM_URL && CRM_KEY ? { url: CRM_URL, key: CRM_KEY, tag: values.CRM_TAG } : null,
    providerTimeoutMs: PROVIDER_TIMEOUT_MS,
  };
}

function mailConfig(values: Values): MailConfig | null {
  const { SMTP_URL: url, MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector } = values;
  const keyFile = values.MAIL_DKIM_KEY_FILE;
  if (!url) return null;
  return {
    url,
    from: values.MAIL_FROM,
    envelopeFrom: values.MAIL_ENVELOPE_FROM ?? null,
    dkim:
      domain && selector && keyFile
        ? { domain, selector, privateKey: readFileSync(keyFile, 'utf8') }
        : null,
  };
}

function twilioConfig(values: Values, publicUrl: string): DeliveryConfig['twilio'] {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM } = values;
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN || !TWILIO_FROM) return null;
  return {
    apiUrl: values.TWILIO_API_URL.replace(/\/+$/, ''),
    accountSid: TWILIO_ACCOUNT_SID,
    authToken: TWILIO_AUTH_TOKEN,
    from: TWILIO_FROM,
    whatsAppFrom: values.TWILIO_WHATSAPP_FROM ?? null,
    whatsAppContentSid: values.TWILIO_WHATSAPP_CONTENT_SID ?? null,
    // Nobody can call back to this machine's own name.
    deliveryReportsUrl: publicUrl.startsWith('https://')
      ? `${publicUrl}${TWILIO_REPORTS_PATH}`
      : null,
  };
}

/** A text abroad can cost a hundred times one at home: what was not asked for is off (security R15). */
function smsCountries({ SMS_COUNTRIES }: Values, { isProduction, countries }: Around) {
  if (SMS_COUNTRIES.length > 0) return SMS_COUNTRIES;
  if (countries.length > 0) return countries;
  return isProduction ? ['US'] : [];
}

/** What belongs together and was given in part would be dropped without a word. */
const GROUPS = [
  ['SMS_WEBHOOK_URL', 'SMS_WEBHOOK_KEY'],
  ['CRM_URL', 'CRM_KEY'],
  ['PORCHLIGHT_EVENTS_URL', 'PORCHLIGHT_EVENTS_SECRET'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY_FILE'],
] as const;

/** Needs another setting beside it. */
const NEEDS = [
  ['TWILIO_WHATSAPP_FROM', 'TWILIO_ACCOUNT_SID'],
  ['TWILIO_WHATSAPP_CONTENT_SID', 'TWILIO_WHATSAPP_FROM'],
  ['MAIL_ENVELOPE_FROM', 'SMTP_URL'],
  ['MAIL_DKIM_DOMAIN', 'SMTP_URL'],
] as const;

/** Faults of settings that do not go together, looked at as given. */
export function deliveryFaults(given: NodeJS.ProcessEnv): readonly string[] {
  const halves = GROUPS.flatMap((group) => {
    const first = group.find((name) => given[name]);
    const missing = group.filter((name) => !given[name]);
    return first ? missing.map((name) => `${name} is required with ${first}`) : [];
  });
  const lonely = NEEDS.filter(([name, other]) => given[name] && !given[other]).map(
    ([name, other]) => `${other} is required with ${name}`,
  );
  const both = given.SMS_WEBHOOK_URL && given.TWILIO_ACCOUNT_SID;
  return [
    ...halves,
    ...lonely,
    ...(both ? ['SMS_WEBHOOK_URL and TWILIO_ACCOUNT_SID are two ways for texts: choose one'] : []),
  ];
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
